import { vendorDialogues } from '../helpers/vendor-dialogues.ts';

// About 35 s, mostly waiting; `npm run test:release` holds twenty turns.
vendorDialogues(6);
