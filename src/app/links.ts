import type { Config } from '../config.ts';
import { everyAligned } from '../shared/aligned.ts';
import { linkKeys, type LinkKeyDeps } from '../domain/links/link-keys.ts';
import { LinkRing, RELOAD_MS, type SignedLinks } from '../domain/links/signed-links.ts';

/** The links of this thread, which follow rotations of their keys. */
export async function openLinks(
  { recordingLinkDays: days }: Config,
  deps: Omit<LinkKeyDeps, 'days'>,
  publicUrl: () => string,
): Promise<SignedLinks> {
  const load = () => linkKeys({ ...deps, days });
  const links = await LinkRing.open({ clock: deps.clock, publicUrl, days, load });
  everyAligned(RELOAD_MS, () => void links.refresh());
  return links;
}
