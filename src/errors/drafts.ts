import { ApiError, make } from './api-error.ts';

/** Both tags, and what changed on both sides. */
export interface MovedDraft {
  readonly tag: string;
  readonly liveTag: string;
  readonly difference: unknown;
}

const bodyOf = ({ tag, liveTag, difference }: MovedDraft) => ({
  draft_tag: tag,
  live_tag: liveTag,
  difference,
});

/** Errors of drafts of agents. */
export const draftErrors = {
  draftNotFound: make(
    404,
    'DRAFT_NOT_FOUND',
    'The agent has no draft; begin one with POST /agent/{agent_id}/draft',
  ),
  draftOpen: make(
    409,
    'DRAFT_OPEN',
    'A draft of the agent is open and has changes; publish or discard it first',
  ),
  draftClosed: make(409, 'DRAFT_CLOSED', 'The draft was published or discarded since you read it'),
  draftNotPublished: make(
    409,
    'DRAFT_NOT_PUBLISHED',
    'version_id is a draft; publish it with POST /agent/{agent_id}/draft/publish',
  ),
  draftNotRehearsed: make(
    409,
    'DRAFT_NOT_REHEARSED',
    'The workspace publishes drafts only after a rehearsal: start one with version_id of the draft, against_version_id of the active version and at least 100 calls',
  ),
  draftIsWorse: (reasons: readonly string[]): ApiError =>
    new ApiError(
      409,
      'DRAFT_IS_WORSE',
      `The last rehearsal shows the draft to be worse than the active version: ${reasons.join('; ')}`,
    ),
  draftMoved: (moved: MovedDraft): ApiError =>
    new ApiError(
      409,
      'DRAFT_MOVED',
      'The draft was changed since you read it; difference has what it changes now',
      [],
      bodyOf(moved),
    ),
  activeMoved: (liveTag: string): ApiError =>
    new ApiError(
      409,
      'VERSION_MOVED',
      'The active version was changed since you read it; active_tag of GET /agent/{agent_id}/versions names it as it is now',
      [],
      { live_tag: liveTag },
    ),
  versionMoved: (moved: MovedDraft): ApiError =>
    new ApiError(
      409,
      'VERSION_MOVED',
      'The active version was changed since the draft copied it; difference has both sides. Send if_live with live_tag to publish the draft in its place',
      [],
      bodyOf(moved),
    ),
  noLanguageModel: make(
    409,
    'NO_LANGUAGE_MODEL',
    'No language model is set for the workspace: choose one under Providers',
  ),
  modelSilent: make(
    503,
    'MODEL_UNAVAILABLE',
    'The language model gave no usable answer. Please try again shortly.',
  ),
};
