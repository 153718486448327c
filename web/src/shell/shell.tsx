import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { call } from '../api/client.ts';
import { LeaveGuard } from '../drafts/leave-guard.tsx';
import { leave, useWorkspace } from '../session/session.ts';
import { useLiveUpdates } from '../api/live.ts';
import { DeveloperPage } from '../ui/developer.ts';
import { Icon } from '../ui/icon.tsx';
import { Viewer } from '../ui/viewer.ts';
import { BottomBar } from './bottom-bar.tsx';
import { ConnectionBar, useIsLost } from './connection-bar.tsx';
import { Brand, BRAND_LINK, MenuButton, SkipLink } from './frame.tsx';
import { Navigation } from './navigation.tsx';
import { Palette } from './palette.tsx';
import { placeOf } from './places.ts';
import { WithSection } from './section-nav.tsx';
import { ShortcutSheet } from './shortcut-sheet.tsx';
import { SignedOutSheet } from './signed-out-sheet.tsx';
import { switchTheme } from './theme.ts';
import { TimeTip } from './time-tip.tsx';
import { Toasts } from './toasts.tsx';
import { useRoleNotice } from './use-role-notice.ts';
import { useShortcuts, type Opened } from './use-shortcuts.ts';
import { UserMenu } from './user-menu.tsx';
import { WorkspaceSwitcher } from './workspace-switcher.tsx';
import { t } from '../words/words.ts';

const KEY_BUTTON =
  'min-h-control rounded-md border border-line bg-surface text-sm text-muted hover:bg-raised';

/** The frame of every screen behind the sign-in: navigation beside the content, above it on a phone. */
export function Shell(): ReactNode {
  useLiveUpdates();
  useRoleNotice();
  const isLost = useIsLost();
  const role = useWorkspace()?.role;
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
    <div className="min-h-screen max-sm:pb-14 lg:grid lg:grid-cols-[13.75rem_1fr]">
      <SkipLink />
      <header className="sticky top-0 flex flex-col border-b border-line bg-side max-lg:z-40 max-lg:max-h-dvh max-sm:max-h-[calc(100dvh-3.5rem)] lg:h-screen lg:border-r lg:border-b-0">
        <div className="flex items-center justify-between px-4 max-lg:h-14 max-lg:shrink-0 lg:pt-4 lg:pb-3">
          <Link to="/" className={BRAND_LINK}>
            <Brand />
          </Link>
          <MenuButton isOpen={isOpen} onPress={() => setIsOpen(!isOpen)} />
        </div>
        <div
          id="navigation"
          className={`${isOpen ? 'flex' : 'hidden'} min-h-0 grow flex-col gap-3 px-2.5 pb-2.5 max-lg:overflow-y-auto lg:flex`}
        >
          <WorkspaceSwitcher />
          <div className="flex gap-1.5">
            <button
              type="button"
              className={`${KEY_BUTTON} flex grow items-center gap-2 px-2`}
              onClick={() => setOpened('palette')}
            >
              <Icon name="search" />
              <span className="grow text-left">{t('Go to…')}</span>
              <kbd className="font-mono text-xs">{t('Ctrl')} K</kbd>
            </button>
            <button
              type="button"
              aria-label={t('Keyboard shortcuts')}
              title={t('Keyboard shortcuts')}
              className={`${KEY_BUTTON} w-8 shrink-0`}
              onClick={() => setOpened('sheet')}
            >
              <kbd className="font-sans">?</kbd>
            </button>
          </div>
          <Navigation path={path} />
          <div className="border-t border-line pt-2">
            <UserMenu onSignOut={signOut} />
          </div>
        </div>
      </header>
      <main id="content" tabIndex={-1} className="min-w-0 outline-none">
        <SignedOutSheet />
        <LeaveGuard />
        <ConnectionBar />
        <div aria-busy={isLost} className={isLost ? 'opacity-60 grayscale' : undefined}>
          <DeveloperPage value={placeOf(path)?.section === 'developers'}>
            <Viewer value={role === 'viewer'}>
              <WithSection path={path}>
                <Outlet />
              </WithSection>
            </Viewer>
          </DeveloperPage>
        </div>
      </main>
      <BottomBar isOpen={isOpen} onMenu={() => setIsOpen(!isOpen)} />
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
