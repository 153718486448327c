import { Type } from 'typebox';
import { CALL_PURPOSES } from '../../shared/call-purposes.ts';
import { nullable, oneOf } from './schemas.ts';

/** What kind of commercial calls a campaign makes, in its answers and those of its calls. */
export const PurposeFields = {
  purpose: nullable(oneOf(CALL_PURPOSES, { description: 'That of its campaign; null: not stated.' })),
  dlt_template_id: nullable(
    Type.String({ description: "The template that India's operators registered, of its campaign." }),
  ),
};
