import { recordingPurpose } from '../../../src/domain/calls/recording-link.ts';
import { LinkRing } from '../../../src/domain/links/signed-links.ts';
import { signedName, type LinkKey, type NamePurpose } from '../../../src/domain/links/signed-name.ts';
import type { Clock } from '../../../src/shared/clock.ts';

/** The key that signs the links of a test. */
export const TEST_LINK_KEY: LinkKey = { id: 1, secret: 'test-secret', retiresAt: null, oldFormUntil: null };

export const openTestLinks = (
  clock: Clock,
  publicUrl = 'http://localhost',
  load: () => Promise<readonly LinkKey[]> = () => Promise.resolve([TEST_LINK_KEY]),
): Promise<LinkRing> => LinkRing.open({ clock, publicUrl: () => publicUrl, days: 30, load });

/** A token without an end. */
export const testToken = (
  purpose: NamePurpose,
  workspaceId: string,
  id: string,
  secret: string = TEST_LINK_KEY.secret,
): string => signedName({ id: TEST_LINK_KEY.id, secret }, purpose, { workspaceId, id }, null);

/** The token of a call's recording, or of one attempt's. */
export const recordingToken = (workspaceId: string, callId: string, attempt: number | null = null): string =>
  testToken(recordingPurpose(attempt), workspaceId, callId);
