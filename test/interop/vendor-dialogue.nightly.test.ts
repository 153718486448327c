import { vendorDialogues } from '../helpers/vendors/vendor-dialogues.ts';

// About 35 s, mostly waiting; `npm run test:release` holds twenty turns.
vendorDialogues(6);
