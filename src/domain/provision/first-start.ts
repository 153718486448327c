import { CLOSED } from '../workspaces/home-destinations.ts';
import { newId } from '../../shared/ids.ts';
import { markDeclared } from '../../store/numbers/number-settings.ts';
import { replaceKey } from '../../store/tenants/keys.ts';
import {
  countWorkspaces,
  insertWorkspace,
  lockProvisioning,
  putNumber,
  updateWorkspace,
} from '../../store/tenants/provision.ts';
import { markDeclaredProviders } from '../../store/tenants/providers.ts';
import { deleteUnknownSecrets } from '../../store/tenants/provisioned-secrets.ts';
import { firstConfig, storeAgent, type CreateAgentDeps } from '../agents/create-agent.ts';
import { newApiKey, storedForm } from '../workspaces/api-key.ts';
import { putTestTrunk } from './apply-provision.ts';
import { demoAgent } from './demo-agent.ts';
import { auditProvision } from './provision-entry.ts';
import { TEST_TRUNK } from '../trunks/test-trunk.ts';

/** The created objects; the key can be shown only now. */
export interface FirstStart {
  workspace: string;
  apiKey: string;
  agentId: string;
  number: string;
  numberId: string;
}

const WORKSPACE = 'My workspace';
const DEMO_NUMBER = '+14155550100';

/**
 * Sets up an installation without a provision file: one workspace with unlimited credits, one caller number on the
 * built-in test carrier, and a demo agent. Returns null if a workspace exists.
 */
export async function firstStart(deps: CreateAgentDeps): Promise<FirstStart | null> {
  return deps.db.transaction().execute(async (tx) => {
    await lockProvisioning(tx);
    const at = new Date(deps.clock.now());
    const trunkId = await putTestTrunk(tx, at);
    await markDeclared(tx, { trunkIds: [], numberIds: [] });
    await markDeclaredProviders(tx, new Map());
    await deleteUnknownSecrets(tx);
    if ((await countWorkspaces(tx)) > 0) return null;
    const workspaceId = newId();
    await insertWorkspace(tx, workspaceId, WORKSPACE, at);
    await updateWorkspace(tx, workspaceId, { creditsDelta: 0, unlimited: true, settings: CLOSED }, at);
    const apiKey = newApiKey();
    await replaceKey(tx, workspaceId, storedForm(apiKey), at);
    const numberId = await putNumber(
      tx,
      workspaceId,
      { number: DEMO_NUMBER, trunkId, provider: TEST_TRUNK, displayName: 'Demo' },
      at,
    );
    const voice = deps.voices.all().find((v) => v.gender === 'female' && deps.voices.speaks(v.id, 'en-US'));
    if (voice === undefined) throw new Error('no voice speaks en-US');
    const input = demoAgent(voice.id);
    const agent = await storeAgent(tx, at, workspaceId, input, firstConfig(deps, input));
    await auditProvision(tx, workspaceId, null, at);
    return { workspace: WORKSPACE, apiKey, agentId: agent.id, number: DEMO_NUMBER, numberId };
  });
}
