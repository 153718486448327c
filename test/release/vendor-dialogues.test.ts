import { vendorDialogues } from '../helpers/vendor-dialogues.ts';

vendorDialogues(20);
