import { useQuery } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { call } from '../api/client.ts';
import { LeaveGuard } from '../drafts/leave-guard.tsx';
import { leave, sessionQuery, useMays } from '../session/session.ts';
import { chooseWorkspace, useWorkspaceId } from '../session/workspace.ts';
import { useLiveUpdates } from '../api/live.ts';
import { ConnectionBar, useIsLost } from './connection-bar.tsx';
import { Palette } from './palette.tsx';
import { PLACES } from './places.ts';
import { ShortcutSheet } from './shortcut-sheet.tsx';
import { SignedOutSheet } from './signed-out-sheet.tsx';
import { chooseTheme, switchTheme, THEMES, useTheme, type Theme } from './theme.ts';
import { TimeTip } from './time-tip.tsx';
import { Toasts } from './toasts.tsx';
import { useRoleNotice } from './use-role-notice.ts';
import { useShortcuts, type Opened } from './use-shortcuts.ts';

const ITEM =
  'block rounded-md px-3 py-1.5 lg:py-0.5 lg:text-sm text-ink no-underline hover:bg-raised aria-[current=page]:bg-raised aria-[current=page]:font-medium aria-[current=page]:text-accent';

const KEY_BUTTON = 'min-h-9 rounded-md border border-line text-sm text-muted hover:bg-raised';

/** The frame of every screen behind the sign-in: navigation beside the content, above it on a phone. */
export function Shell(): ReactNode {
  useLiveUpdates();
  useRoleNotice();
  const isLost = useIsLost();
  const [isOpen, setIsOpen] = useState(false);
  const [opened, setOpened] = useState<Opened | null>(null);
  useShortcuts(setOpened);
  const signOut = useSignOut();
  const close = (): void => setOpened(null);
  const path = useRouterState({ select: ({ location }) => location.pathname });
  const [shownAt, setShownAt] = useState(path);
  if (shownAt !== path) {
    setShownAt(path);
    setIsOpen(false);
  }
  return (
    <div className="min-h-screen lg:grid lg:grid-cols-[15rem_1fr]">
      <a
        href="#content"
        className="absolute -top-20 left-2 z-10 rounded-md bg-accent px-3 py-2 text-on-accent focus:top-2"
      >
        Skip to the content
      </a>
      <header className="flex flex-col border-b border-line bg-surface lg:sticky lg:top-0 lg:h-screen lg:border-r lg:border-b-0">
        <div className="flex items-center justify-between px-4 py-4">
          <Link to="/" className="flex items-center gap-2.5 font-semibold text-ink no-underline">
            <img src="/favicon.svg" alt="" className="size-7" />
            Callwright
          </Link>
          <button
            type="button"
            className="rounded-md border border-line px-3 py-1 text-sm lg:hidden"
            aria-expanded={isOpen}
            aria-controls="navigation"
            onClick={() => setIsOpen(!isOpen)}
          >
            Menu
          </button>
        </div>
        <div
          id="navigation"
          className={`${isOpen ? 'flex' : 'hidden'} grow flex-col gap-4 px-3 pb-3 lg:flex lg:min-h-0`}
        >
          <WorkspaceSwitcher />
          <div className="flex gap-2">
            <button
              type="button"
              className={`${KEY_BUTTON} flex grow items-center justify-between px-3`}
              onClick={() => setOpened('palette')}
            >
              Go to… <kbd className="font-sans text-xs">Ctrl K</kbd>
            </button>
            <button
              type="button"
              aria-label="Keyboard shortcuts"
              title="Keyboard shortcuts"
              className={`${KEY_BUTTON} w-9 shrink-0`}
              onClick={() => setOpened('sheet')}
            >
              <kbd className="font-sans">?</kbd>
            </button>
          </div>
          <Navigation />
          <Footer onSignOut={signOut} />
        </div>
      </header>
      <main id="content" tabIndex={-1} className="min-w-0 outline-none">
        <SignedOutSheet />
        <LeaveGuard />
        <ConnectionBar />
        <div aria-busy={isLost} className={isLost ? 'opacity-60 grayscale' : undefined}>
          <Outlet />
        </div>
      </main>
      <Toasts />
      <TimeTip />
      {opened === 'palette' ? (
        <Palette
          onClose={close}
          onAction={(action) => {
            if (action === 'shortcuts') setOpened('sheet');
            else if (action === 'theme') switchTheme();
            else signOut();
          }}
        />
      ) : null}
      {opened === 'sheet' ? <ShortcutSheet onClose={close} /> : null}
    </div>
  );
}

function WorkspaceSwitcher(): ReactNode {
  const { data } = useQuery(sessionQuery);
  const current = useWorkspaceId();
  const navigate = useNavigate();
  const workspaces = data?.workspaces ?? [];
  const [only] = workspaces;
  if (only === undefined) return <p className="px-3 text-sm text-muted">You are a member of no workspace.</p>;
  if (workspaces.length === 1)
    return <p className="shrink-0 truncate px-3 text-sm text-muted">{only.name}</p>;
  return (
    <div>
      <label htmlFor="workspace" className="mb-1 block px-1 text-xs text-muted">
        Workspace
      </label>
      <select
        id="workspace"
        value={current ?? ''}
        className="w-full rounded-md border border-line bg-surface px-2 py-1.5 text-ink"
        onChange={(event) => {
          chooseWorkspace(event.target.value);
          // What is open belongs to the workspace that is left; the browser keeps what was typed.
          void navigate({ to: '/', ignoreBlocker: true });
        }}
      >
        {workspaces.map(({ id, name, parent_workspace_id: parent }) => (
          <option key={id} value={id}>
            {parent === null ? name : `– ${name}`}
          </option>
        ))}
      </select>
    </div>
  );
}

function Navigation(): ReactNode {
  const may = useMays();
  const link = ({ to, name }: (typeof PLACES)[number]): ReactNode => (
    <Link key={to} to={to} className={ITEM} activeOptions={{ exact: to === '/' }}>
      {name}
    </Link>
  );
  const places = PLACES.filter((place) => may[place.role]);
  return (
    <nav aria-label="Main" className="flex flex-col gap-0.5 lg:min-h-0 lg:grow lg:overflow-y-auto">
      {places.filter((place) => place.group === 'work').map(link)}
      <h2 className="mt-3 mb-1 px-3 text-xs font-medium text-muted">Settings</h2>
      {places.filter((place) => place.group === 'settings').map(link)}
      <a href="/docs" className={ITEM}>
        API reference
      </a>
    </nav>
  );
}

/** Ends the session, also when the service cannot be reached, and goes to the sign-in. */
function useSignOut(): () => void {
  const navigate = useNavigate();
  return () =>
    void (async () => {
      await call('signOut', {}).catch(() => undefined);
      leave();
      await navigate({ to: '/sign-in', ignoreBlocker: true });
    })();
}

const THEME_NAMES: Readonly<Record<Theme, string>> = {
  light: 'Light theme',
  dark: 'Dark theme',
  system: 'System theme',
};

function Footer({ onSignOut }: { onSignOut: () => void }): ReactNode {
  const theme = useTheme();
  const { data } = useQuery(sessionQuery);
  return (
    <div className="flex flex-col gap-1 border-t border-line pt-3 text-sm">
      <p className="truncate px-3 text-muted">{data?.user.email}</p>
      <div className="flex justify-between">
        <select
          aria-label="Theme"
          value={theme}
          className={`${ITEM} min-w-0 bg-surface pr-1! pl-2!`}
          onChange={(event) => chooseTheme(event.target.value as Theme)}
        >
          {THEMES.map((each) => (
            <option key={each} value={each}>
              {THEME_NAMES[each]}
            </option>
          ))}
        </select>
        <button type="button" className={`${ITEM} shrink-0`} onClick={onSignOut}>
          Sign out
        </button>
      </div>
    </div>
  );
}
