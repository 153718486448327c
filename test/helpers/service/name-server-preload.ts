import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';

/** Sets the DNS server of a program; loaded before it (`node --import`). */
export const NAME_SERVER = 'TEST_NAME_SERVER';

const address = process.env[NAME_SERVER] ?? '';
if (address !== '') {
  dns.Resolver = class extends dns.Resolver {
    constructor(...options: ConstructorParameters<typeof dns.Resolver>) {
      super(...options);
      this.setServers([address]);
    }
  };
  syncBuiltinESMExports();
}
