import type { CallPreview } from '../../domain/calls/preview/preview-call.ts';
import { toCallingWindow } from '../common/calling-window-wire.ts';

/** The body of POST /call-preview. */
export const toCallPreview = ({ variables, contacts }: CallPreview) => ({
  variables: variables.map(({ name, neededIn }) => ({ name, needed_in: neededIn })),
  contacts: contacts.map(({ mobileNumber, window, says, missing }) => ({
    mobile_number: mobileNumber,
    calling_window: window === null ? null : toCallingWindow(window),
    is_night: window?.isNightAtCallee ?? false,
    says,
    missing: [...missing],
  })),
});
