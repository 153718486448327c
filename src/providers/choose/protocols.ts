import type { VendorName } from '../../vendors/catalogue.ts';
import { VENDORS } from '../../vendors/list.ts';
import type { VendorProtocol } from '../../vendors/protocol.ts';

/** The protocols of every vendor of the list; importing this module loads them. */
const PROTOCOLS: ReadonlyMap<string, VendorProtocol> = new Map(
  await Promise.all(VENDORS.map(async ({ name, protocol }) => [name, (await protocol()).protocol] as const)),
);

type Part = keyof VendorProtocol;

/** How a vendor's part is reached; throws if the vendor does not have the part. */
export function protocolOf<P extends Part>(name: VendorName, part: P): NonNullable<VendorProtocol[P]> {
  const protocol = PROTOCOLS.get(name)?.[part];
  if (protocol === undefined) throw new Error(`The vendor ${name} has no ${part}`);
  return protocol;
}
