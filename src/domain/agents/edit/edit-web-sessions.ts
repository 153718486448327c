import { Type, type Static } from 'typebox';
import { VariableNames } from '../agent-schema.ts';
import { webSessionsOf } from '../web-sessions.ts';
import { operation } from './operation.ts';

/** The rule is of the list itself: a broken item is named by its own path. */
const PageVariables = Type.Unsafe<Static<typeof VariableNames>>({
  ...VariableNames,
  'x-rule': 'must be a list of at most 200 variable names, or null',
});

/** What pages with the public key may do. Merged: an absent field keeps its value. */
export const editWebSessions = operation(
  Type.Object({
    web_sessions: Type.Object(
      {
        require_session: Type.Optional(
          Type.Boolean({
            description:
              'true: browser calls and chats begin only in sessions that your server opens (POST /calling/webcall/session, POST /chat/web/session); pages with the public key get 403.',
          }),
        ),
        page_variables: Type.Optional(
          Type.Union([PageVariables, Type.Null()], {
            description: 'The variables that a page with the public key may set; null: every one.',
          }),
        ),
      },
      { additionalProperties: false, minProperties: 1, example: { require_session: true } },
    ),
  }),
  ({ config }, { web_sessions: sent }) => ({
    config: { ...config, web_sessions: { ...webSessionsOf(config), ...sent } },
  }),
);
