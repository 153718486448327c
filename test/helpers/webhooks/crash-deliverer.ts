import { WebhookDeliverer, type DeliveryStep } from '../../../src/jobs/webhooks/deliverer.ts';
import { SafeFetcher } from '../../../src/net/safe-fetch.ts';
import { systemClock } from '../../../src/shared/clock.ts';
import { silentLog } from '../../../src/shared/log.ts';
import { createSeal } from '../../../src/shared/seal.ts';
import { openDatabase } from '../../../src/store/database.ts';

/** Child process that delivers webhooks and kills itself (SIGKILL) at one step of its first delivery. */
const [url = '', sealKey = '', deadly = ''] = process.argv.slice(2);
const database = openDatabase(url);
new WebhookDeliverer({
  db: database.kysely,
  clock: systemClock,
  log: silentLog,
  seal: createSeal(sealKey),
  fetcher: new SafeFetcher({ allow: ['webhooks=127.0.0.1'], purpose: 'webhooks' }),
  onStep: (step: DeliveryStep) => {
    if (step === deadly) process.kill(process.pid, 'SIGKILL');
  },
}).start();
