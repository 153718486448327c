import type { Access, Bound, Live, Need, Open } from './access.ts';
import type { Role } from '../users/roles.ts';
import type { Scope } from './scopes.ts';

/** A row: the scope of a key, what a session needs, how objects are bound, and who else is let in or what stays open. */
type Row = readonly [
  scope: Scope | 'any' | null,
  need: Need | null,
  bound: Bound,
  more?: { readonly open?: Open; readonly live?: Live },
];

/** What concerns agents, calls, chats and campaigns. */
const WORK = {
  createAgent: ['agents:write', 'manager', 'workspace'],
  describeAgent: ['agents:write', 'manager', 'workspace'],
  listAgents: ['agents:read', 'viewer', 'workspace'],
  getAgent: ['agents:read', 'viewer', 'workspace'],
  deleteAgent: ['agents:write', 'manager', 'workspace'],
  editAgent: ['agents:write', 'manager', 'workspace'],
  updateAgent: ['agents:write', 'manager', 'workspace'],
  restoreAgent: ['agents:write', 'manager', 'workspace'],
  testAgent: ['agents:write', 'manager', 'workspace'],
  checkFlow: ['agents:read', 'viewer', 'workspace'],
  getFlowCounts: ['agents:read', 'viewer', 'workspace'],
  exportAgent: ['agents:read', 'viewer', 'workspace'],
  importAgent: ['agents:write', 'manager', 'workspace'],
  openDraft: ['agents:write', 'manager', 'workspace'],
  getDraft: ['agents:read', 'viewer', 'workspace'],
  getDraftDifference: ['agents:read', 'viewer', 'workspace'],
  discardDraft: ['agents:write', 'manager', 'workspace'],
  publishDraft: ['agents:write', 'manager', 'workspace'],
  rollBackAgent: ['agents:write', 'manager', 'workspace'],
  listAgentVersions: ['agents:read', 'viewer', 'workspace'],
  compareAgentVersions: ['agents:read', 'viewer', 'workspace'],
  testTool: ['agents:write', 'manager', 'workspace'],
  listTestCases: ['agents:read', 'viewer', 'workspace'],
  createTestCase: ['agents:write', 'manager', 'workspace'],
  getTestCase: ['agents:read', 'viewer', 'workspace'],
  changeTestCase: ['agents:write', 'manager', 'workspace'],
  deleteTestCase: ['agents:write', 'manager', 'workspace'],
  runTestCases: ['agents:write', 'manager', 'workspace'],
  listTestRuns: ['agents:read', 'viewer', 'workspace'],
  getTestRun: ['agents:read', 'viewer', 'workspace'],
  startRehearsal: ['agents:write', 'manager', 'workspace'],
  listRehearsals: ['agents:read', 'viewer', 'workspace'],
  getRehearsal: ['agents:read', 'viewer', 'workspace'],
  cancelRehearsal: ['agents:write', 'manager', 'workspace'],
  getRehearsedCall: ['agents:read', 'viewer', 'workspace'],
  listVoices: ['agents:read', 'viewer', 'workspace'],
  rotateWebCallKey: [null, 'manager', 'workspace'],

  placeCall: ['calls:write', 'manager', 'workspace'],
  placeCallV2: ['calls:write', 'manager', 'workspace'],
  placeTestCall: [null, 'manager', 'workspace'],
  openTestWebCall: [null, 'manager', 'workspace'],
  previewCalls: [null, 'manager', 'workspace'],
  hangUpCall: ['calls:write', 'manager', 'workspace'],
  controlCall: ['calls:write', 'manager', 'workspace'],
  terminateCalls: ['calls:write', 'manager', 'workspace'],
  listCalls: ['calls:read', 'viewer', 'workspace'],
  getCall: ['calls:read', 'viewer', 'workspace'],
  replayCall: ['calls:read', 'viewer', 'workspace'],
  markFinding: ['calls:write', 'manager', 'workspace'],
  exportCalls: ['calls:read', 'manager', 'workspace'],
  getRecordingPeaks: ['calls:read', 'viewer', 'workspace'],
  watchCall: ['calls:read', 'viewer', 'workspace', { live: 'stream' }],
  watchCalls: ['calls:read', 'viewer', 'workspace', { live: 'stream' }],
  listenToCall: [null, 'manager', 'workspace', { live: 'socket' }],
  giveCallFeedback: ['calls:write', 'manager', 'workspace', { open: 'call_token' }],
  openWebCallSession: ['calls:write', 'manager', 'workspace'],
  openWebCall: [null, null, 'page agent', { open: 'page_key' }],

  listChats: ['chats:read', 'viewer', 'workspace'],
  getChat: ['chats:read', 'viewer', 'workspace'],
  takeOverChat: ['chats:write', 'manager', 'workspace', { live: 'take-over' }],
  sendChatMessage: ['chats:write', 'manager', 'workspace'],
  handBackChat: ['chats:write', 'manager', 'workspace'],
  endChat: ['chats:write', 'manager', 'workspace'],
  startWhatsappChat: ['chats:write', 'manager', 'workspace'],
  openWebChatSession: ['chats:write', 'manager', 'workspace'],
  openWebChat: [null, null, 'page agent', { open: 'page_key' }],

  startCampaign: ['campaigns:write', 'manager', 'workspace'],
  startCampaignV2: ['campaigns:write', 'manager', 'workspace'],
  makeCampaignCalls: ['campaigns:write', 'manager', 'workspace'],
  saveCampaign: ['campaigns:write', 'manager', 'workspace'],
  uploadCampaign: ['campaigns:write', 'manager', 'workspace'],
  getUploadStatus: ['campaigns:read', 'viewer', 'workspace'],
  pauseCampaign: ['campaigns:write', 'manager', 'workspace'],
  resumeCampaign: ['campaigns:write', 'manager', 'workspace'],
  checkCampaignBalance: ['campaigns:read', 'viewer', 'workspace'],
  listCampaigns: ['campaigns:read', 'viewer', 'workspace'],
  getCampaign: ['campaigns:read', 'viewer', 'workspace'],
  previewCampaign: ['campaigns:read', 'viewer', 'workspace'],
  listCampaignMessages: ['campaigns:read', 'viewer', 'workspace'],
  reportCampaign: ['campaigns:read', 'viewer', 'workspace'],
  getCampaignProgress: ['campaigns:read', 'viewer', 'workspace'],
  getCampaignStatistics: ['campaigns:read', 'viewer', 'workspace'],
  listCampaignContacts: ['campaigns:read', 'viewer', 'workspace'],
} as const satisfies Readonly<Record<string, Row>>;

/** What concerns numbers, knowledge, figures, webhooks and personal data. */
const RESOURCES = {
  listNumbers: ['numbers:read', 'viewer', 'workspace'],
  listTrunks: ['numbers:read', 'viewer', 'workspace'],
  listNumberPools: ['numbers:read', 'viewer', 'workspace'],
  createNumberPool: ['numbers:write', 'manager', 'workspace'],
  getNumberPool: ['numbers:read', 'viewer', 'workspace'],
  renameNumberPool: ['numbers:write', 'manager', 'workspace'],
  deleteNumberPool: ['numbers:write', 'manager', 'workspace'],
  addNumberPoolMembers: ['numbers:write', 'manager', 'workspace'],
  removeNumberPoolMembers: ['numbers:write', 'manager', 'workspace'],
  listDoNotCall: ['numbers:read', 'viewer', 'workspace'],
  addDoNotCall: ['numbers:write', 'manager', 'workspace'],
  removeDoNotCall: ['numbers:write', 'manager', 'workspace'],
  addWhatsappNumber: ['numbers:write', 'manager', 'workspace'],
  listWhatsappNumbers: ['numbers:read', 'viewer', 'workspace'],
  changeWhatsappNumber: ['numbers:write', 'manager', 'workspace'],
  removeWhatsappNumber: ['numbers:write', 'manager', 'workspace'],
  listWhatsappTemplates: ['numbers:read', 'viewer', 'workspace'],

  createKnowledgeBase: ['knowledge:write', 'manager', 'workspace'],
  changeKnowledgeBase: ['knowledge:write', 'manager', 'workspace'],
  listKnowledgeBases: ['knowledge:read', 'viewer', 'workspace'],
  getKnowledgeBase: ['knowledge:read', 'viewer', 'workspace'],
  deleteKnowledgeBase: ['knowledge:write', 'manager', 'workspace'],
  listKnowledgeChunks: ['knowledge:read', 'viewer', 'workspace'],
  queryKnowledgeBase: ['knowledge:read', 'viewer', 'workspace'],

  getPlatformAnalytics: ['analytics:read', 'viewer', 'workspace'],
  getDrillDownAnalytics: ['analytics:read', 'viewer', 'workspace'],
  getNumberAnalytics: ['analytics:read', 'viewer', 'workspace'],
  getDurationDistribution: ['analytics:read', 'viewer', 'workspace'],
  getClassificationAnalytics: ['analytics:read', 'viewer', 'workspace'],
  getEvaluationAnalytics: ['analytics:read', 'viewer', 'workspace'],
  getVendorAnalytics: ['analytics:read', 'viewer', 'workspace'],
  getQualityAnalytics: ['analytics:read', 'viewer', 'workspace'],
  getReactionAnalytics: ['analytics:read', 'viewer', 'workspace'],
  getHourAnalytics: ['analytics:read', 'viewer', 'workspace'],
  getComparisonAnalytics: ['analytics:read', 'viewer', 'workspace'],
  getFindings: ['analytics:read', 'viewer', 'workspace'],
  getChatAnalytics: ['analytics:read', 'viewer', 'workspace'],

  getSigningSecret: ['secrets:read', 'owner', 'workspace'],
  rotateSigningSecret: ['secrets:write', 'owner', 'workspace'],
  listDeliveries: ['webhooks:read', 'viewer', 'workspace'],
  listFailures: ['webhooks:read', 'viewer', 'workspace'],
  getDelivery: ['webhooks:read', 'viewer', 'workspace'],
  resendDelivery: ['webhooks:write', 'manager', 'workspace'],
  enableReceiver: ['webhooks:write', 'manager', 'workspace'],
  recoverDeliveries: ['webhooks:write', 'manager', 'workspace'],
  sendTestEvent: ['webhooks:write', 'manager', 'workspace'],

  eraseCall: ['privacy:write', 'owner', 'workspace'],
  eraseChat: ['privacy:write', 'owner', 'workspace'],
  eraseNumbers: ['privacy:write', 'owner', 'workspace'],
  exportPerson: ['privacy:write', 'owner', 'workspace'],
  getErasure: ['privacy:read', 'viewer', 'workspace'],
  getRetention: ['privacy:read', 'viewer', 'workspace'],
  setRetention: ['privacy:write', 'owner', 'workspace'],
  listAuditLog: ['audit:read', 'manager', 'workspace'],
  listApiRequests: ['audit:read', 'manager', 'workspace'],
  getApiRequest: ['audit:read', 'manager', 'workspace'],
} as const satisfies Readonly<Record<string, Row>>;

/** What concerns the workspace, its family, its people, and the installation. */
const TENANCY = {
  getWorkspace: ['workspace:read', 'viewer', 'workspace'],
  listWorkspaces: ['workspace:read', 'viewer', 'family'],
  getWorkspaceSettings: ['workspace:read', 'viewer', 'workspace'],
  setWorkspaceSettings: ['config:write', 'owner', 'workspace'],
  rotateKey: ['workspace:write', 'manager', 'workspace'],
  getProviders: ['workspace:read', 'viewer', 'workspace'],
  setProviders: ['workspace:write', 'manager', 'workspace'],
  testVendor: ['workspace:write', 'manager', 'workspace'],
  getOverview: ['workspace:read', 'viewer', 'workspace'],
  getUsage: ['workspace:read', 'viewer', 'workspace'],
  watchWorkspace: ['workspace:read', 'viewer', 'workspace', { live: 'stream' }],
  listCredits: ['workspace:read', 'viewer', 'workspace'],
  listSubWorkspaces: ['workspace:read', 'viewer', 'family'],
  createSubWorkspace: ['children:write', 'owner', 'family'],
  setSubWorkspaceConcurrency: ['children:write', 'owner', 'family'],
  moveNumbers: ['children:write', 'owner', 'family'],
  moveNumberPool: ['children:write', 'owner', 'family'],
  archiveSubWorkspace: ['children:write', 'owner', 'family'],
  restoreSubWorkspace: ['children:write', 'owner', 'family'],
  allocateCredits: ['children:write', 'owner', 'family'],

  getApiKey: [null, 'owner', 'workspace'],
  regenerateApiKey: [null, 'owner', 'workspace'],
  listKeys: [null, 'owner', 'workspace'],
  makeKey: [null, 'owner', 'workspace'],
  revokeKey: [null, 'owner', 'workspace'],
  listMembers: [null, 'viewer', 'workspace'],
  changeRole: [null, 'owner', 'workspace'],
  removeMember: [null, 'owner', 'workspace'],
  makePasswordLink: [null, 'owner', 'workspace'],
  resetTwoStep: [null, 'owner', 'workspace'],
  listInvitations: [null, 'owner', 'workspace'],
  invite: [null, 'owner', 'workspace'],
  withdrawInvitation: [null, 'owner', 'workspace'],

  getFirstRun: [null, null, 'nothing', { open: 'stranger' }],
  createFirstOwner: [null, null, 'link', { open: 'link' }],
  signIn: [null, null, 'account', { open: 'stranger' }],
  readInvitation: [null, null, 'link', { open: 'link' }],
  acceptInvitation: [null, null, 'link', { open: 'link' }],
  usePasswordLink: [null, null, 'link', { open: 'link' }],
  listAccountLog: [null, 'account', 'account'],
  getSession: [null, 'account', 'account'],
  signOut: [null, 'account', 'account'],
  listSessions: [null, 'account', 'account'],
  revokeSession: [null, 'account', 'account'],
  revokeOtherSessions: [null, 'account', 'account'],
  changePassword: [null, 'account', 'account'],
  beginTwoStep: [null, 'account', 'account'],
  confirmTwoStep: [null, 'account', 'account'],
  endTwoStep: [null, 'account', 'account'],

  getSystem: [null, 'operator', 'installation'],
  getConfiguration: [null, 'operator', 'installation'],
  listTrunkSettings: [null, 'operator', 'installation'],
  saveTrunk: [null, 'operator', 'installation'],
  deleteTrunk: [null, 'operator', 'installation'],
  checkTrunk: [null, 'operator', 'installation'],
  listNumberSettings: [null, 'operator', 'installation'],
  saveNumber: [null, 'operator', 'installation'],
  removeNumber: [null, 'operator', 'installation'],
  listModels: [null, 'operator', 'installation'],
  downloadModel: [null, 'operator', 'installation'],
  removeModel: [null, 'operator', 'installation'],
} as const satisfies Readonly<Record<string, Row>>;

const PUBLIC: Row = [null, null, 'nothing', { open: 'stranger' }];

/** Routes without an operation of the API document, and WebSockets, by method and path. */
const OTHERS: Readonly<Record<string, Row>> = {
  getRecording: [null, null, 'link', { open: 'link' }],
  getCampaignRejects: [null, null, 'link', { open: 'link' }],
  'GET /voices/:voice_id/preview/:file': [null, null, 'link', { open: 'stranger' }],
  'GET /voices/:voice_id/image.svg': [null, null, 'link', { open: 'stranger' }],
  'GET /whatsapp/webhook/:whatsapp_number_id': [null, null, 'link', { open: 'link' }],
  'POST /whatsapp/webhook/:whatsapp_number_id': [null, null, 'link', { open: 'link' }],
  // Each tool also needs the rows of the operations that it sends.
  'POST /mcp': ['any', null, 'workspace'],
  'GET /carriers/:trunk_id/voice': [null, null, 'link', { open: 'link' }],
  'GET /carriers/:trunk_id/answer/:token': [null, null, 'link', { open: 'link' }],
  'GET /carriers/:trunk_id/transfer/:order': [null, null, 'link', { open: 'link' }],
  'POST /carriers/:trunk_id/voice': [null, null, 'link', { open: 'link' }],
  'POST /carriers/:trunk_id/status': [null, null, 'link', { open: 'link' }],
  'POST /carriers/:trunk_id/status/:attempt_id': [null, null, 'link', { open: 'link' }],
  'POST /carriers/:trunk_id/answer/:token': [null, null, 'link', { open: 'link' }],
  'POST /carriers/:trunk_id/transfer/:order': [null, null, 'link', { open: 'link' }],
  'WS /carrier': [null, null, 'token', { open: 'call_token' }],
  'WS /web-call': [null, null, 'token', { open: 'call_token' }],
  'WS /web-chat': [null, null, 'token', { open: 'call_token' }],
  'WS /listen': [null, 'manager', 'token', { live: 'socket' }],
  'OPTIONS /api/v0/calling/webcall': PUBLIC,
  'OPTIONS /api/v0/chat/web': PUBLIC,
  'OPTIONS /api/v0/calling/:call_id/feedback': PUBLIC,
  'GET /': PUBLIC,
  'GET /*': PUBLIC,
  'GET /healthz': PUBLIC,
  'GET /readyz': PUBLIC,
  'GET /metrics': PUBLIC,
  'GET /openapi.json': PUBLIC,
  'GET /api.md': PUBLIC,
  'GET /llms.txt': PUBLIC,
  'GET /docs': PUBLIC,
};

const toAccess = ([scope, need, bound, more]: Row): Access => ({
  scope,
  need,
  bound,
  open: more?.open ?? null,
  live: more?.live ?? null,
});

/** Who may do what: every route, event stream and WebSocket of the service, and nothing else. */
export const ACCESS: ReadonlyMap<string, Access> = new Map(
  Object.entries<Row>({ ...WORK, ...RESOURCES, ...TENANCY, ...OTHERS }).map(([name, row]) => [
    name,
    toAccess(row),
  ]),
);

/** The row of an operation. Throws for one without: the server does not start with it. */
export function accessOf(operation: string): Access {
  const access = ACCESS.get(operation);
  if (access === undefined)
    throw new Error(`${operation} has no row in the table of permissions (src/domain/access)`);
  return access;
}

/** The role that an operation needs of a member. Throws for one that members have no role in. */
export function roleFor(operation: string): Role {
  const { need } = accessOf(operation);
  if (need === null || need === 'account' || need === 'operator')
    throw new Error(`${operation} needs no role`);
  return need;
}
