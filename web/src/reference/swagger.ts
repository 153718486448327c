import { complete } from './complete.ts';
import type { ApiDocument } from './operations.ts';

interface Swagger {
  readonly layoutActions: { parseDeepLinkHash(hash: string): void };
}
interface SwaggerBundle {
  (options: Readonly<Record<string, unknown>>): Swagger;
  readonly presets: { readonly apis: unknown };
}
declare global {
  // Swagger UI sets it.
  var SwaggerUIBundle: SwaggerBundle | undefined;
}

const BUNDLE = '/docs/static/swagger-ui-bundle.js';
const DOCUMENT = '/docs/json';

export async function readDocument(): Promise<ApiDocument> {
  const response = await fetch(DOCUMENT);
  if (!response.ok) throw new Error(`${DOCUMENT} answered ${response.status}`);
  return (await response.json()) as ApiDocument;
}

/** Loads Swagger UI, which the service serves beside this page. */
export async function loadBundle(): Promise<SwaggerBundle> {
  await new Promise((resolve, reject) => {
    const script = Object.assign(document.createElement('script'), { src: BUNDLE });
    script.addEventListener('load', resolve);
    script.addEventListener('error', () => reject(new Error(`${BUNDLE} did not load`)));
    document.head.append(script);
  });
  if (globalThis.SwaggerUIBundle === undefined) throw new Error(`${BUNDLE} is not Swagger UI`);
  return globalThis.SwaggerUIBundle;
}

/** Swagger UI would write the document as text and parse that as YAML, which takes seconds for megabytes. */
const asRead = (spec: ApiDocument) => () => ({
  statePlugins: {
    spec: {
      wrapActions: {
        parseToJson:
          (_parse: unknown, { specActions }: { specActions: { updateJsonSpec(spec: ApiDocument): void } }) =>
          () =>
            specActions.updateJsonSpec(spec),
      },
    },
  },
});

/** Draws the document, and follows the links of the list at the side. */
export function draw(bundle: SwaggerBundle, spec: ApiDocument, node: HTMLElement): void {
  complete(node);
  const swagger = bundle({
    spec,
    domNode: node,
    presets: [bundle.presets.apis],
    layout: 'BaseLayout',
    deepLinking: true,
    plugins: [asRead(spec)],
    // Nearly two hundred operations: the list at the side and the search open what the reader wants.
    docExpansion: 'none',
    defaultModelsExpandDepth: 0,
    // It would colour by style attributes, which know one theme only.
    syntaxHighlight: { activated: false },
  });
  // At the start Swagger UI reads the address itself.
  addEventListener('hashchange', () =>
    swagger.layoutActions.parseDeepLinkHash(decodeURIComponent(location.hash)),
  );
}
