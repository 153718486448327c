import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router';
import { patient } from './api/patient.ts';
import { queryClient } from './api/queries.ts';
import { agentSearch } from './screens/agent/tabs.ts';
import { analyticsFilters } from './screens/analytics/filters.ts';
import { viewerSearch } from './screens/knowledge-base/viewer-search.ts';
import { callFilters } from './screens/calls/filters.ts';
import { chatFilters } from './screens/chats/filters.ts';
import { requestFilters } from './screens/requests/filters.ts';
import { deliveryFilters } from './screens/webhooks/filters.ts';
import { sessionQuery } from './session/session.ts';
import { RouteFailure, RouteMissing } from './shell/fallbacks.tsx';
import { Shell } from './shell/shell.tsx';
import { withWords, type WordGroup } from './words/words.ts';

/** A component of a file of its own with its group of texts, which waits for a service that is away. */
const screen = <T extends Record<string, unknown>, K extends keyof T>(
  group: WordGroup,
  load: () => Promise<T>,
  name: K,
): ReturnType<typeof lazyRouteComponent<T, K>> =>
  lazyRouteComponent<T, K>(patient(withWords(group, load)), name);

const root = createRootRoute({ errorComponent: RouteFailure, notFoundComponent: RouteMissing });

const pageSearch = ({ page }: Record<string, unknown>): { page?: number } =>
  typeof page === 'number' && Number.isInteger(page) && page > 1 ? { page } : {};

/** Every screen behind the sign-in. */
const app = createRoute({
  getParentRoute: () => root,
  id: 'app',
  component: Shell,
  beforeLoad: async ({ location }) => {
    const account = await queryClient.ensureQueryData(sessionQuery);
    if (account === null) throw redirect({ to: '/sign-in', search: { next: location.href } });
  },
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: '/sign-in',
  validateSearch: ({ next }: Record<string, unknown>): { next?: string } =>
    // Only paths of this service: a link must not send the user elsewhere after signing in.
    typeof next === 'string' && /^\/(?![/\\])/.test(next) ? { next } : {},
  component: screen('entrance', () => import('./screens/sign-in/sign-in-page.tsx'), 'SignInPage'),
});
const firstRun = createRoute({
  getParentRoute: () => root,
  path: '/first-run',
  component: screen('entrance', () => import('./screens/first-run/first-run-page.tsx'), 'FirstRunPage'),
});
const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: screen('entrance', () => import('./screens/invitation/invitation-page.tsx'), 'InvitationPage'),
});
const newPassword = createRoute({
  getParentRoute: () => root,
  path: '/new-password',
  component: screen(
    'entrance',
    () => import('./screens/new-password/new-password-page.tsx'),
    'NewPasswordPage',
  ),
});

const home = createRoute({
  getParentRoute: () => app,
  path: '/',
  component: screen('home', () => import('./screens/home/home-page.tsx'), 'HomePage'),
});
const welcome = createRoute({
  getParentRoute: () => app,
  path: '/welcome',
  component: screen('home', () => import('./screens/welcome/welcome-page.tsx'), 'WelcomePage'),
});
const live = createRoute({
  getParentRoute: () => app,
  path: '/live',
  validateSearch: ({ call: id }: Record<string, unknown>): { call?: string } =>
    typeof id === 'string' ? { call: id } : {},
  component: screen('calls', () => import('./screens/live/live-page.tsx'), 'LivePage'),
});
const campaigns = createRoute({
  getParentRoute: () => app,
  path: '/campaigns',
  validateSearch: pageSearch,
  component: screen('campaigns', () => import('./screens/campaigns/campaigns-page.tsx'), 'CampaignsPage'),
});
const newCampaign = createRoute({
  getParentRoute: () => app,
  path: '/campaigns/new',
  component: screen(
    'campaigns',
    () => import('./screens/campaign-new/new-campaign-page.tsx'),
    'NewCampaignPage',
  ),
});
const campaign = createRoute({
  getParentRoute: () => app,
  path: '/campaigns/$campaignId',
  validateSearch: ({ result }: Record<string, unknown>): { result?: string } =>
    typeof result === 'string' && result !== '' ? { result } : {},
  component: screen('campaigns', () => import('./screens/campaign/campaign-page.tsx'), 'CampaignPage'),
});
const calls = createRoute({
  getParentRoute: () => app,
  path: '/calls',
  validateSearch: callFilters,
  component: screen('calls', () => import('./screens/calls/calls-page.tsx'), 'CallsPage'),
});
const chats = createRoute({
  getParentRoute: () => app,
  path: '/chats',
  validateSearch: chatFilters,
  component: screen('calls', () => import('./screens/chats/chats-page.tsx'), 'ChatsPage'),
});
const chat = createRoute({
  getParentRoute: () => app,
  path: '/chats/$chatId',
  component: screen('calls', () => import('./screens/chat/chat-page.tsx'), 'ChatPage'),
});
const whatsapp = createRoute({
  getParentRoute: () => app,
  path: '/whatsapp',
  component: screen('numbers', () => import('./screens/whatsapp/whatsapp-page.tsx'), 'WhatsappPage'),
});
const call = createRoute({
  getParentRoute: () => app,
  path: '/calls/$callId',
  validateSearch: ({ t }: Record<string, unknown>): { t?: number } =>
    typeof t === 'number' && t >= 0 ? { t } : {},
  component: screen('calls', () => import('./screens/call/call-page.tsx'), 'CallPage'),
});
const agents = createRoute({
  getParentRoute: () => app,
  path: '/agents',
  component: screen('assistants', () => import('./screens/agents/agents-page.tsx'), 'AgentsPage'),
});
const newAgent = createRoute({
  getParentRoute: () => app,
  path: '/agents/new',
  component: screen('assistants', () => import('./screens/agent-new/new-agent-page.tsx'), 'NewAgentPage'),
});
const agent = createRoute({
  getParentRoute: () => app,
  path: '/agents/$agentId',
  validateSearch: agentSearch,
  component: screen('assistants', () => import('./screens/agent/agent-page.tsx'), 'AgentPage'),
});
/** The address of the test before it stood beside the editor. */
const playground = createRoute({
  getParentRoute: () => app,
  path: '/agents/$agentId/playground',
  validateSearch: ({ version }: Record<string, unknown>): { version?: string } =>
    typeof version === 'string' ? { version } : {},
  beforeLoad: ({ params, search }) => {
    throw redirect({ to: '/agents/$agentId', params, search: { ...search, test: true }, replace: true });
  },
});
const rehearsals = createRoute({
  getParentRoute: () => app,
  path: '/agents/$agentId/rehearsals',
  validateSearch: ({ run }: Record<string, unknown>): { run?: string } =>
    typeof run === 'string' ? { run } : {},
  component: screen('rehearsals', () => import('./screens/rehearsals/rehearsals-page.tsx'), 'RehearsalsPage'),
});
const numbers = createRoute({
  getParentRoute: () => app,
  path: '/numbers',
  component: screen('numbers', () => import('./screens/numbers/numbers-page.tsx'), 'NumbersPage'),
});
const numberPools = createRoute({
  getParentRoute: () => app,
  path: '/number-pools',
  component: screen(
    'numbers',
    () => import('./screens/number-pools/number-pools-page.tsx'),
    'NumberPoolsPage',
  ),
});
const trunks = createRoute({
  getParentRoute: () => app,
  path: '/trunks',
  component: screen('numbers', () => import('./screens/trunks/trunks-page.tsx'), 'TrunksPage'),
});
const analytics = createRoute({
  getParentRoute: () => app,
  path: '/analytics',
  validateSearch: analyticsFilters,
  component: screen('home', () => import('./screens/analytics/analytics-page.tsx'), 'AnalyticsPage'),
});
const knowledge = createRoute({
  getParentRoute: () => app,
  path: '/knowledge',
  component: screen('knowledge', () => import('./screens/knowledge/knowledge-page.tsx'), 'KnowledgePage'),
});
const knowledgeBase = createRoute({
  getParentRoute: () => app,
  path: '/knowledge/$kbId',
  validateSearch: viewerSearch,
  component: screen(
    'knowledge',
    () => import('./screens/knowledge-base/knowledge-base-page.tsx'),
    'KnowledgeBasePage',
  ),
});
const webhooks = createRoute({
  getParentRoute: () => app,
  path: '/webhooks',
  validateSearch: deliveryFilters,
  component: screen('developers', () => import('./screens/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
});
const delivery = createRoute({
  getParentRoute: () => app,
  path: '/webhooks/$deliveryId',
  component: screen('developers', () => import('./screens/delivery/delivery-page.tsx'), 'DeliveryPage'),
});
const doNotCall = createRoute({
  getParentRoute: () => app,
  path: '/do-not-call',
  validateSearch: pageSearch,
  component: screen('campaigns', () => import('./screens/do-not-call/do-not-call-page.tsx'), 'DoNotCallPage'),
});
const credits = createRoute({
  getParentRoute: () => app,
  path: '/credits',
  component: screen('home', () => import('./screens/credits/credits-page.tsx'), 'CreditsPage'),
});
const auditLog = createRoute({
  getParentRoute: () => app,
  path: '/settings/audit-log',
  component: screen('settings', () => import('./screens/audit-log/audit-log-page.tsx'), 'AuditLogPage'),
});
const apiKey = createRoute({
  getParentRoute: () => app,
  path: '/settings/api-key',
  component: screen('developers', () => import('./screens/api-key/api-key-page.tsx'), 'ApiKeyPage'),
});
const requests = createRoute({
  getParentRoute: () => app,
  path: '/settings/requests',
  validateSearch: requestFilters,
  component: screen('developers', () => import('./screens/requests/requests-page.tsx'), 'RequestsPage'),
});
const request = createRoute({
  getParentRoute: () => app,
  path: '/settings/requests/$entryId',
  component: screen('developers', () => import('./screens/request/request-page.tsx'), 'RequestPage'),
});
const data = createRoute({
  getParentRoute: () => app,
  path: '/settings/data',
  validateSearch: ({ erasure }: Record<string, unknown>): { erasure?: string } =>
    typeof erasure === 'string' ? { erasure } : {},
  component: screen('settings', () => import('./screens/privacy/privacy-page.tsx'), 'PrivacyPage'),
});
const workspace = createRoute({
  getParentRoute: () => app,
  path: '/settings/workspace',
  component: screen('settings', () => import('./screens/workspace/workspace-page.tsx'), 'WorkspacePage'),
});
const members = createRoute({
  getParentRoute: () => app,
  path: '/settings/members',
  component: screen('settings', () => import('./screens/members/members-page.tsx'), 'MembersPage'),
});
const childWorkspaces = createRoute({
  getParentRoute: () => app,
  path: '/settings/child-workspaces',
  component: screen(
    'settings',
    () => import('./screens/child-workspaces/child-workspaces-page.tsx'),
    'ChildWorkspacesPage',
  ),
});
const system = createRoute({
  getParentRoute: () => app,
  path: '/settings/system',
  component: screen('settings', () => import('./screens/system/system-page.tsx'), 'SystemPage'),
});
const providers = createRoute({
  getParentRoute: () => app,
  path: '/settings/providers',
  component: screen('settings', () => import('./screens/providers/providers-page.tsx'), 'ProvidersPage'),
});
const account = createRoute({
  getParentRoute: () => app,
  path: '/settings/account',
  component: screen('settings', () => import('./screens/account/account-page.tsx'), 'AccountPage'),
});

/** Every primitive in every state, while the dashboard is being built (`npx vite web`). */
const design = import.meta.env.DEV
  ? [
      createRoute({
        getParentRoute: () => root,
        path: '/design',
        component: screen('common', () => import('./screens/design/design-page.tsx'), 'DesignPage'),
      }),
    ]
  : [];

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    firstRun,
    invitation,
    newPassword,
    ...design,
    app.addChildren([
      home,
      welcome,
      live,
      calls,
      call,
      chats,
      chat,
      campaigns,
      newCampaign,
      campaign,
      agents,
      newAgent,
      agent,
      playground,
      rehearsals,
      numbers,
      numberPools,
      trunks,
      whatsapp,
      analytics,
      knowledge,
      knowledgeBase,
      webhooks,
      delivery,
      doNotCall,
      credits,
      apiKey,
      auditLog,
      data,
      requests,
      request,
      workspace,
      members,
      childWorkspaces,
      system,
      providers,
      account,
    ]),
  ]),
  defaultPreload: 'intent',
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
