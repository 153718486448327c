import type { FollowUp } from '../../domain/calls/follow-up.ts';
import { iso } from '../common/values.ts';

export const toFollowUp = (of: FollowUp | null) =>
  of === null ? null : { done_by: of.doneBy, done_at: iso(of.doneAt) };
