import {
  applyPlan,
  ProvisionFailure,
  readPlan,
  type Provisioned,
  type ProvisionDeps,
} from '../domain/provision/provision.ts';
import type { Log } from '../shared/log.ts';

/**
 * Applies PROVISION_FILE again while the service runs. A faulty file changes nothing and is logged. Returns
 * what was applied, with new API keys; null when nothing was.
 */
export async function reloadProvision(
  file: string | null,
  deps: ProvisionDeps,
  log: Log,
): Promise<Provisioned | null> {
  if (file === null) {
    log.warn({}, 'nothing to reload: PROVISION_FILE is not set');
    return null;
  }
  try {
    const plan = await readPlan(file);
    const provisioned = await applyPlan(deps, plan, { isRunning: true });
    const { trunks, workspaces } = plan.plan;
    log.info(
      { trunks: trunks.length, workspaces: workspaces.length },
      'the provision file was applied again',
    );
    return provisioned;
  } catch (error) {
    if (error instanceof ProvisionFailure) {
      log.error({ problems: error.problems }, 'the provision file is faulty; nothing was changed');
    } else {
      log.error({ err: error }, 'the provision file could not be applied; nothing was changed');
    }
    return null;
  }
}
