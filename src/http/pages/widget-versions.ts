import { cp, mkdir, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';

/** Versions of the widget that stay served: this build's and those of the last builds before it. */
const KEPT_VERSIONS = 5;
const VERSION = /^[0-9a-f]{12}$/;

/**
 * Copies the widget of this build into `folder`, which outlives an upgrade, and removes the versions that are older than the
 * last five. A snippet pins the hash of its version, so a page goes on with that until its snippet is replaced.
 */
export async function keepWidgetVersion(web: string, folder: string): Promise<void> {
  const latest = await readFile(join(web, 'widget/latest.json'), 'utf8').catch(() => null);
  if (latest === null) return;
  const { version } = JSON.parse(latest) as { version: string };
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const kept = join(folder, version);
  if ((await stat(kept).catch(() => null)) === null) {
    // A version is there completely or not at all, whenever the process ends.
    const copy = `${kept}.new-${process.pid}`;
    await cp(join(web, 'widget', version), copy, { recursive: true });
    await rename(copy, kept).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
    await rm(copy, { recursive: true, force: true });
  }
  // The time of a version is that of its last start: the age counts from the upgrade that replaced it.
  const now = new Date();
  await utimes(kept, now, now);
  await removeOld(folder, version);
}

async function removeOld(folder: string, current: string): Promise<void> {
  const versions: { readonly name: string; readonly at: number }[] = [];
  for (const name of await readdir(folder)) {
    // A copy that was not finished.
    if (name.includes('.new-')) await rm(join(folder, name), { recursive: true, force: true });
    if (name === current || !VERSION.test(name)) continue;
    versions.push({ name, at: (await stat(join(folder, name))).mtimeMs });
  }
  const old = versions.toSorted((a, b) => b.at - a.at).slice(KEPT_VERSIONS - 1);
  for (const { name } of old) await rm(join(folder, name), { recursive: true, force: true });
}
