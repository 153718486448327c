import {
  changed,
  erasedBy,
  leftOut,
  maskedNumber,
  stays,
  toEmptyObject,
  toNothing,
  toNull,
  withRow,
} from './columns.ts';
import type { PersonalTable } from './register.ts';

/** The number of the person of a call. */
export const PERSON_OF_CALL = `case when call_type = 'inbound' then from_number else to_number end`;

/** A carrier's reason phrase may contain the number. */
const WITHOUT_DIGITS = String.raw`regexp_replace(reason, '\d{4,}', '****', 'g')`;

/** Vendors quote the input in their messages. */
const WITHOUT_WORDS = `case when vendor_faults is null then null else (
  select coalesce(jsonb_agg(f || jsonb_build_object('message', concat(f ->> 'vendor', ': ', f ->> 'kind',
    ' (status ' || (f ->> 'status') || ')')) order by n), '[]')
  from jsonb_array_elements(vendor_faults) with ordinality l (f, n)) end`;

const RECEIVER = 'it is the address of a receiver of the operator, with its credentials';

const SIP_SAYS = { set: WITHOUT_DIGITS, says: 'digits are removed' };

export const CALL_TABLES = {
  calls: {
    holds: 'individual and inbound calls, callbacks, contacts of campaigns',
    call: 'id',
    number: PERSON_OF_CALL,
    stamp: 'updated_at',
    exporting: 'rows',
    facts: [
      'call_type',
      'status',
      'sub_status',
      'created_at',
      'dialed_at',
      'answered_at',
      'ended_at',
      'duration_ms',
      'callback_call_id',
    ],
    columns: {
      from_number: maskedNumber('from_number', 'number of a caller', `call_type = 'inbound'`),
      to_number: maskedNumber('to_number', 'number of a callee', `call_type <> 'inbound'`),
      callee_name: toNothing('name', 'contact_days'),
      args: toEmptyObject('values', 'contact_days'),
      callback: leftOut(RECEIVER, toNull('address of a receiver that the call named', 'contact_days')),
      result: changed(
        'answer to the goal, from the conversation; labels and endings hold no personal data',
        { set: `case when result_source = 'goal' then 'Erased' else result end`, says: '`Erased`' },
        'transcript_days',
      ),
      category: stays('label that the workspace gave the call', 'it is the data of the operator'),
    },
  },
  call_attempts: {
    holds: 'attempts',
    call: 'call_id',
    number: 'to_number',
    exporting: 'rows',
    facts: ['attempt', 'status', 'sub_status', 'dialed_at', 'answered_at', 'ended_at', 'callback_at'],
    order: 'attempt',
    columns: {
      to_number: maskedNumber('to_number', 'number of the callee'),
      reason: changed('reason phrase of the remote side', SIP_SAYS, 'contact_days'),
      sip_messages: toNull('SIP messages, without numbers', 'contact_days'),
    },
  },
  call_records: {
    holds:
      'what a conversation left behind. An erased record is never written again, so a late analysis is discarded',
    call: 'call_id',
    stamp: 'updated_at',
    exporting: 'rows',
    facts: ['answered_by', 'recording_state', 'recording_ms', 'transcript_partial'],
    columns: {
      transcript: toNull('transcript', 'transcript_days'),
      tool_log: toNull('tool log with knowledge look-ups', 'transcript_days'),
      platform_analysis: toNull('platform analysis', 'transcript_days'),
      client_analysis: toNull('client analysis', 'transcript_days'),
      evaluations: toNull('criteria and their reasons', 'transcript_days'),
      feedback: toNull('rating and comment', 'transcript_days'),
      event_log: toNull('event log', 'transcript_days'),
      vendor_faults: changed(
        "faults of vendors, with the vendor's words",
        { set: WITHOUT_WORDS, says: 'kind and status stay' },
        'transcript_days',
      ),
      recording_path: leftOut(
        'the export has a link to every recording',
        erasedBy('path of the recording', 'deleted with the files', 'recording_days'),
      ),
    },
  },
  call_checks: {
    holds: 'scores of calls',
    call: 'call_id',
    exporting: 'rows',
    facts: ['day', 'score'],
    columns: { verdicts: toNull('criteria and their reasons', 'transcript_days') },
  },
  call_findings: {
    holds: 'what detectors found in a conversation',
    call: 'call_id',
    exporting: 'rows',
    facts: ['detector', 'at_ms', 'day'],
    order: 'at_ms, detector',
    columns: {
      detail: toNull('quotes of the conversation', 'transcript_days'),
      false_by: leftOut(
        'it names a member, not the person',
        stays('who marked a false alarm', 'it names no person of the other side'),
      ),
    },
  },
  call_follow_ups: {
    holds: 'calls whose person needed a person and that are done',
    call: 'call_id',
    exporting: 'rows',
    facts: ['done_at'],
    columns: {
      done_by: leftOut(
        'it names a member, not the person',
        stays('who marked the call as done', 'it names no person of the other side'),
      ),
    },
  },
  talk_journal: {
    holds: 'lines of live and unsettled calls',
    call: 'call_id',
    exporting: 'rows',
    facts: ['attempt', 'at'],
    order: 'attempt, seq',
    columns: { piece: withRow('transcript and tool log', 'transcript_days') },
  },
  recording_files: {
    holds: 'files of recordings: WAV of every attempt, MP3, waveform',
    call: 'call_id',
    exporting: { by: 'a link to the recording of every attempt' },
    columns: {
      path: erasedBy('path', 'deleted with the file', 'recording_days'),
    },
  },
  web_call_tokens: {
    holds:
      'browser calls that have not begun. A row is deleted when its call begins or, if it never does, within a day',
    call: 'call_id',
    exporting: 'rows',
    facts: ['created_at'],
    columns: {
      args: withRow('values'),
      origin: withRow('address of the page'),
    },
  },
  stream_tokens: {
    holds: 'calls that carriers have announced and whose stream has not come',
    exporting: {
      leftOut: 'it is sealed, and the record of the call has the number as soon as the stream comes',
    },
    columns: {
      sealed_call: stays(
        'sealed numbers and name of the caller',
        'it is deleted when the stream comes or, if it never does, with the next calls after ten minutes',
      ),
    },
  },
  call_listeners: {
    holds: 'members of the workspace who listened to a call',
    call: 'call_id',
    exporting: 'rows',
    facts: ['created_at', 'started_at', 'ended_at'],
    order: 'id',
    columns: {
      listener: leftOut(
        'it names a member, not the person',
        stays('email address of the member', 'it names no person of the other side'),
      ),
      origin: leftOut(
        'it holds nothing of the person',
        stays('address of the dashboard', 'it holds no personal data'),
      ),
    },
  },
} as const satisfies Readonly<Record<string, PersonalTable>>;
