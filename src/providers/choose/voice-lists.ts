import type { TtsVendorName, VendorSettings } from '../../vendors/catalogue.ts';
import { faultOfStatus, vendorFault, type VendorFault } from '../wire/fault.ts';
import { Fields } from '@callwright/fields';
import { protocolOf } from './protocols.ts';
import type { VendorVoice } from '../../vendors/vendor-voice.ts';

const LIMIT_MS = 5_000;
const LARGEST_BYTES = 8_000_000;

/** The vendor does not give its list. `fault` names the cause without the key. */
export class VoiceListError extends Error {
  readonly fault: VendorFault;
  constructor(fault: VendorFault) {
    super(fault.message);
    this.fault = fault;
  }
}

type Fetch = typeof globalThis.fetch;

/**
 * The voices of a vendor that speak at least one of our languages. Rejects with VoiceListError. `fetch` applies the
 * address rules to the URL of a workspace.
 */
export async function listVendorVoices(
  vendor: TtsVendorName,
  settings: VendorSettings,
  fetch: Fetch = globalThis.fetch,
): Promise<readonly VendorVoice[]> {
  return await protocolOf(vendor, 'tts').voices(settings, (path, headers) =>
    requestList(fetch, vendor, settings, path, headers),
  );
}

async function requestList(
  fetch: Fetch,
  vendor: TtsVendorName,
  { baseUrl, apiKey }: VendorSettings,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<Fields> {
  const hide = (fault: VendorFault): VoiceListError =>
    new VoiceListError(
      apiKey === null || apiKey === ''
        ? fault
        : { ...fault, message: fault.message.replaceAll(apiKey, '***') },
    );
  let status: number;
  let text: string;
  try {
    const url = new URL(path, baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`);
    const response = await fetch(url, { headers, redirect: 'error', signal: AbortSignal.timeout(LIMIT_MS) });
    status = response.status;
    const parts: Uint8Array[] = [];
    let size = 0;
    for await (const part of response.body ?? []) {
      parts.push(part);
      size += part.length;
      if (size > LARGEST_BYTES) throw new Error('the list is too long');
    }
    text = Buffer.concat(parts).toString('utf8');
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError';
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const detail = cause instanceof Error ? cause.message : '';
    throw hide(vendorFault(vendor, isLate ? 'timeout' : 'lost', detail));
  }
  if (status !== 200) throw hide(faultOfStatus(vendor, status, text));
  try {
    return Fields.parse(text);
  } catch {
    throw hide(vendorFault(vendor, 'rejected', 'its list of voices cannot be read'));
  }
}
