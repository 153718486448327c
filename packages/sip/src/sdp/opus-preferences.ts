import type { OpusPreferences } from '@callwright/rtp';
import type { SdpMedia } from './session-description.ts';

const MAX_PARAMETERS = 32;

/** What `a=fmtp` of a payload type with Opus asks of our packets (RFC 7587 section 6.1). */
export function opusPreferences(media: SdpMedia, payloadType: number): OpusPreferences {
  const prefix = `${payloadType} `;
  const parameters = new Map<string, string>();
  for (const { name, value } of media.attributes) {
    if (name !== 'fmtp' || value?.startsWith(prefix) !== true) continue;
    for (const part of value.slice(prefix.length).split(';', MAX_PARAMETERS)) {
      const [key = '', text = ''] = part.split('=', 2);
      parameters.set(key.trim().toLowerCase(), text.trim());
    }
  }
  const maxBitrate = /^\d{1,7}$/.exec(parameters.get('maxaveragebitrate') ?? '')?.[0];
  const isSet = (name: string): boolean => parameters.get(name) === '1';
  return {
    ...(maxBitrate === undefined ? {} : { maxBitrate: Number(maxBitrate) }),
    ...(isSet('useinbandfec') ? { usesFec: true } : {}),
    ...(isSet('cbr') ? { isConstant: true } : {}),
    ...(isSet('usedtx') ? { skipsPauses: true } : {}),
  };
}
