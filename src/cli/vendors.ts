import { once } from 'node:events';
import {
  FAKE_BUSINESS_ACCOUNT_ID,
  FAKE_PHONE_NUMBER_ID,
  FAKE_TEMPLATES,
  FAKE_VENDORS,
  type FakeVendor,
  type FakeWhatsapp,
  fakeAnthropic,
  fakeDeepgram,
  fakeElevenlabs,
  startFakeVendor,
  startFakeWhatsapp,
} from '@callwright/stand-ins';
import { needsKey, VENDOR_NAMES } from '../vendors/catalogue.ts';
import { settingPrefix } from '../vendors/vendor.ts';

/** Vendors that take no key: servers of the operator. */
const KEYLESS: ReadonlySet<string> = new Set(VENDOR_NAMES.filter((name) => !needsKey(name)));

/** Runs every stand-in until the process is told to stop, and prints the settings that select them. */
export async function runVendors(firstPort: number): Promise<number> {
  if (!Number.isInteger(firstPort) || firstPort < 0 || firstPort > 65_534 - FAKE_VENDORS.length) {
    console.error('--port must be a port number');
    return 2;
  }
  const running: FakeVendor[] = [];
  let whatsapp: FakeWhatsapp | null = null;
  try {
    for (const [i, protocol] of FAKE_VENDORS.entries()) {
      running.push(await startFakeVendor(protocol, { port: firstPort === 0 ? 0 : firstPort + i }));
    }
    whatsapp = await startFakeWhatsapp({ port: firstPort === 0 ? 0 : firstPort + FAKE_VENDORS.length });
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    await Promise.all(running.map((vendor) => vendor.close()));
    return 1;
  }
  console.log([...settingsOf(running), ...settingsOfWhatsapp(whatsapp)].join('\n'));
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  await Promise.all([...running.map((vendor) => vendor.close()), whatsapp.close()]);
  return 0;
}

/** The environment of a service that uses the stand-ins. */
function settingsOf(vendors: readonly FakeVendor[]): string[] {
  const [first] = vendors;
  return [
    '# Settings of a service that uses these stand-ins; any key is accepted. Stop with Ctrl+C.',
    `STT_PROVIDER=${fakeDeepgram.name}`,
    `TTS_PROVIDER=${fakeElevenlabs.name}`,
    `LLM_PROVIDER=${fakeAnthropic.name}`,
    ...vendors.flatMap(({ name, baseUrl }) => {
      const prefix = settingPrefix(name);
      return [`${prefix}_BASE_URL=${baseUrl}`, ...(KEYLESS.has(name) ? [] : [`${prefix}_API_KEY=any`])];
    }),
    'OPENAI_COMPATIBLE_LLM_MODEL=any',
    `# Delays and faults, for example: curl -X PUT ${first?.baseUrl ?? ''}/fake/settings -d '{"resultMs":150,"refuse":401}'`,
  ];
}

const TEMPLATE_NAMES = FAKE_TEMPLATES.map(({ name, language }) => `${name} (${language})`).join(', ');

/** The stand-in of WhatsApp: where the service sends to, and how a customer writes. */
function settingsOfWhatsapp({ baseUrl }: FakeWhatsapp): string[] {
  const { origin } = new URL(baseUrl);
  return [
    `WHATSAPP_BASE_URL=${baseUrl}`,
    `# WhatsApp: add a number with the phone_number_id ${FAKE_PHONE_NUMBER_ID} and the`,
    `# business_account_id ${FAKE_BUSINESS_ACCOUNT_ID}, whose templates are ${TEMPLATE_NAMES}, then:`,
    `#   curl ${origin}/fake/webhook -d '{"url":"<webhook_url>","app_secret":"<app_secret>"}'`,
    `#   curl ${origin}/fake/inbound -d '{"from":"919876543210","text":"Hello"}'`,
  ];
}
