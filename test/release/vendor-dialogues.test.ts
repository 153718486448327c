import { vendorDialogues } from '../helpers/vendors/vendor-dialogues.ts';

vendorDialogues(20);
