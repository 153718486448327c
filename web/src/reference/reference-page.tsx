import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Brand, BRAND_LINK, MenuButton, SkipLink } from '../shell/frame.tsx';
import { ThemeField } from '../shell/theme-field.tsx';
import { Icon } from '../ui/icon.tsx';
import { t } from '../words/words.ts';
import type { ApiDocument } from './operations.ts';
import { SideList } from './side-list.tsx';
import { draw, loadBundle, readDocument } from './swagger.ts';

const LINK = 'rounded-md px-2 py-1 text-muted no-underline hover:bg-raised hover:text-ink';
const FORMS = [
  { name: 'OpenAPI', path: '/openapi.json' },
  { name: 'Markdown', path: '/api.md' },
] as const;

/** The API reference in the dashboard's frame: a list of operations at the side, and Swagger UI in our colours. */
export function ReferencePage(): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const node = useRef<HTMLDivElement>(null);
  const { spec, isFailed } = useReference(node);
  return (
    <div className="min-h-screen lg:grid lg:grid-cols-[16rem_1fr]">
      <SkipLink
        onSkip={(event) => {
          // An address would be read as that of an operation.
          event.preventDefault();
          document.querySelector<HTMLElement>('#content')?.focus();
        }}
      />
      <header className="flex flex-col border-b border-line bg-side lg:sticky lg:top-0 lg:h-screen lg:border-r lg:border-b-0">
        <div className="flex items-center justify-between px-4 pt-4 pb-3">
          <a href="/" className={BRAND_LINK}>
            <Brand />
          </a>
          <MenuButton isOpen={isOpen} onPress={() => setIsOpen(!isOpen)} />
        </div>
        <div
          id="navigation"
          className={`${isOpen ? 'flex' : 'hidden'} grow flex-col gap-3 px-2.5 pb-2.5 lg:flex lg:min-h-0`}
        >
          <a
            href="/"
            className="flex min-h-7.5 items-center gap-2.5 rounded-md px-2 text-sm text-ink no-underline hover:bg-raised [&>svg]:text-muted"
          >
            <Icon name="house" />
            {t('Back to the dashboard')}
          </a>
          <SideList spec={spec} onChoose={() => setIsOpen(false)} />
          <div className="flex flex-col gap-2 border-t border-line pt-2 text-sm">
            <span className="flex gap-1">
              {FORMS.map(({ name, path }) => (
                <a key={path} href={path} className={LINK}>
                  {name}
                </a>
              ))}
            </span>
            <ThemeField />
          </div>
        </div>
      </header>
      <main id="content" tabIndex={-1} className="min-w-0 outline-none">
        <h1 className="sr-only">{t('API reference')}</h1>
        {isFailed ? (
          <p role="alert" className="px-4 py-6 sm:px-7">
            {t(
              'The reference did not load. Load the page again; if that does not help, the service is not running.',
            )}
          </p>
        ) : null}
        {spec === null && !isFailed ? (
          <p role="status" className="px-4 py-6 text-muted sm:px-7">
            {t('Loading')}
          </p>
        ) : null}
        <div ref={node} lang="en" id="reference" className="mx-auto max-w-page px-4 sm:px-7" />
      </main>
    </div>
  );
}

/** Reads the document while Swagger UI loads, then draws it once. */
function useReference(node: { readonly current: HTMLDivElement | null }): {
  spec: ApiDocument | null;
  isFailed: boolean;
} {
  const [spec, setSpec] = useState<ApiDocument | null>(null);
  const [isFailed, setIsFailed] = useState(false);
  useEffect(() => {
    let isGone = false;
    Promise.all([readDocument(), loadBundle()]).then(
      ([read, bundle]) => {
        if (isGone || node.current === null) return;
        setSpec(read);
        draw(bundle, read, node.current);
      },
      () => {
        if (!isGone) setIsFailed(true);
      },
    );
    return () => {
      isGone = true;
    };
  }, [node]);
  return { spec, isFailed };
}
