import { make } from './api-error.ts';

/** Errors of people who sign in. */
export const accountErrors = {
  firstRunOver: make(409, 'FIRST_RUN_OVER', 'The first owner exists already; sign in'),
  lastOwner: make(409, 'LAST_OWNER', 'A workspace keeps at least one owner'),
  memberOfOthers: make(
    409,
    'MEMBER_OF_OTHERS',
    'The member is an operator or works in a workspace that you do not own; the operator runs callwright user reset',
  ),
  alreadyMember: make(409, 'ALREADY_MEMBER', 'This person is a member already'),
  accountExists: make(
    409,
    'ACCOUNT_EXISTS',
    'This email address has an account; sign in, then open the link again',
  ),
} as const;
