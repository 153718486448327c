import { resolve } from 'node:path';
import { verifiedSeal } from '../app/secrets.ts';
import type { Config } from '../config.ts';
import { toProviderSettings } from '../domain/providers/provider-settings.ts';
import { workspaceAccounts } from '../domain/providers/resolve-providers.ts';
import { openReach } from '../providers/wire/reach.ts';
import { openDatabase } from '../store/database.ts';
import { findProviders } from '../store/tenants/providers.ts';
import { findWorkspacesByName } from '../store/tenants/workspaces.ts';
import { besideService } from './backup/open-installation.ts';
import { ofWorkspace } from './doctor-vendors.ts';
import { failed, messageOf, passed, type Finding } from './finding.ts';

/** Tries every vendor that the workspace chose or has an account of. */
export async function examineWorkspace(config: Config, name: string): Promise<Finding[]> {
  try {
    return await besideService(config, 'doctor', (url) => examine(config, url, name));
  } catch (error) {
    return [failed('database', messageOf(error), 'check DATABASE_URL, or run callwright doctor')];
  }
}

async function examine(config: Config, url: string, name: string): Promise<Finding[]> {
  const database = openDatabase(url, { maxConnections: 1 });
  const reach = openReach({ allow: config.safeFetchAllow });
  try {
    const db = database.kysely;
    const found = await findWorkspacesByName(db, name);
    const check = `workspace ${name}`;
    if (found.length === 0) return [failed(check, 'not found', 'GET /workspace/all lists the names')];
    const seal = await verifiedSeal(db, config.secretKey, resolve(config.dataDir));
    const findings = await Promise.all(
      found.map(async (id) => {
        const settings = toProviderSettings(await findProviders(db, id));
        const accounts = workspaceAccounts(config.providers, settings, ({ sealed }) => seal.open(sealed));
        return ofWorkspace(accounts, reach);
      }),
    );
    const tried = findings.flat();
    return tried.length > 0
      ? tried
      : [passed(check, 'uses the vendors of the installation: callwright doctor tries them')];
  } finally {
    await Promise.all([database.close(), reach.close()]);
  }
}
