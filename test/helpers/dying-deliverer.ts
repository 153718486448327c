import { WebhookDeliverer, type DeliveryStep } from '../../src/jobs/deliver-webhooks.ts';
import { SafeFetcher } from '../../src/jobs/safe-fetch.ts';
import { systemClock } from '../../src/shared/clock.ts';
import { silentLog } from '../../src/shared/log.ts';
import { createSeal } from '../../src/shared/seal.ts';
import { openDatabase } from '../../src/store/database.ts';

/** A process that delivers webhooks and is killed, as by kill -9, at one step of its first delivery. */
const [url = '', sealKey = '', deadly = ''] = process.argv.slice(2);
const database = openDatabase(url);
new WebhookDeliverer({
  db: database.kysely,
  clock: systemClock,
  log: silentLog,
  seal: createSeal(sealKey),
  fetcher: new SafeFetcher({ allow: ['127.0.0.1'] }),
  onStep: (step: DeliveryStep) => {
    if (step === deadly) process.kill(process.pid, 'SIGKILL');
  },
}).start();
