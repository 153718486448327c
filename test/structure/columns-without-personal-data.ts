/** Columns of the database without personal data of a person who is called, calls, chats or works with the service. */
export const NOT_PERSONAL: Readonly<Record<string, string>> = {
  account_log: 'action at id user_id',
  agent_test_cases: 'agent_id created_at id source_id updated_at workspace_id',
  agent_test_results:
    'case_id end_reason ended_at position run_id source_id started_at state updated_at version_changed_at version_id workspace_id',
  agent_test_runs: 'agent_id created_at id on_model_failure runs_tools version_id workspace_id',
  agent_versions:
    'agent_id base_config base_version_id call_traffic config created_at description draft id is_listed slug updated_at workspace_id',
  agents:
    'ab_started_at active_version_id agent_type archived_at classification_labels created_at display_name id updated_at webcall_public_key workspace_id',
  api_keys:
    'created_at expires_at id key_hash last_used_at name scopes shown_last4 shown_prefix workspace_id',
  api_request_floors: 'at workspace_id',
  api_requests: 'at body_bytes content_type duration_ms id is_cut key method request_id status workspace_id',
  attempt_days: 'agent_id answered attempts campaign_id day first_attempts number_id version_id workspace_id',
  attempt_quarters: 'answered attempt busy_ms calls campaign_id quarter workspace_id',
  attempt_slots: 'agent_id answered attempts campaign_id duration_ms slot workspace_id',
  attempt_weeks: 'agent_id answered attempts duration_ms slot workspace_id',
  audit_log: 'action actor_type at id method route status workspace_id',
  call_attempts:
    'answered_at attempt call_id callback_at campaign_id claimed_at cost dialed_at duration_ms ended_at failure_code node_id number_id ringing_at sent_at sip_call_id sip_code status sub_status workspace_id',
  call_beginnings: 'at call_type calls day id workspace_id',
  call_begun: 'call_type calls day workspace_id',
  call_checks: 'agent_id call_id checked_at day score scorecard_version version_id workspace_id',
  call_days:
    'agent_id attempts call_type calls campaign_id cost day duration_bucket duration_ms number_id status sub_status version_id workspace_id',
  call_endings:
    'agent_id at attempts call_type campaign_id cost day duration_bucket duration_ms id number_id status sub_status version_id workspace_id',
  call_findings: 'agent_id at_ms call_id day detector false_at workspace_id',
  call_follow_ups: 'call_id done_at workspace_id',
  call_listeners: 'call_id created_at ended_at expires_at id session_id started_at token_hash workspace_id',
  call_records:
    'agents answered_by attempt call_id erased_at first_utterance_ms interruptions latency media recording_bytes recording_ms recording_pauses recording_state transcript_partial updated_at usage workspace_id',
  call_totals: 'call_type calls day status workspace_id',
  calls:
    'agent_id answered_at attempt by_stranger call_config call_type callback_call_id campaign_id contact_row cost created_at dialed_at duration_ms ended_at hangup_by id next_attempt_at no_retry node_id number_id origin_campaign_id parent_call_id reserved result_source retries_used status sub_status updated_at version_id voice_id workspace_id',
  campaign_do_not_call: 'campaign_id created_at workspace_id',
  campaign_messages:
    'answered_at attempt campaign_id chat_id claimed_at contact_row created_at delivered_at due_at ended_at error_code id next_attempt_at number_id read_at retries_used sent_at state status sub_status tries updated_at workspace_id',
  campaign_numbers: 'campaign_id number_id workspace_id',
  campaign_upload_pieces: 'kind seq upload_id workspace_id',
  campaign_uploads: 'beat_at created_at file_bytes flow has_rejects id read_bytes state workspace_id',
  campaigns:
    'agent_id breaker breaker_since call_config callback concurrency_percentage considered_at country_code created_at dlt_template_id end_at ended_at failed_rows id message name next_due_at number_pool_id processed_rows purpose ramp_at ramp_limit remove_invalid_rows reported_at served_at start_at started_at state successful_rows template total_rows updated_at variables_map whatsapp_number_ids workspace_id',
  cap_notices: 'at cap workspace_id',
  cap_starts: 'at calls strangers workspace_id',
  chat_messages:
    'chat_id created_at due_at error_code id kind role sent_at seq state tries turn workspace_id',
  chats:
    'agent_id campaign_id channel channel_id created_at customer_at due_at end_reason ended_at ends_at erased_at id leased_until processed_at state taken_at taken_key taken_session tries turn usage version_id workspace_id',
  contact_marks: 'masked_until workspace_id',
  credit_transfers: 'amount at child_id id workspace_id',
  deliveries:
    'any_2xx attempt call_id campaign_id created_at due_at event_id event_seq event_type finished_at forget_address host id is_test method recovers resends state without_answers workspace_id',
  delivery_queue:
    'attempt call_id campaign_id due_at event_seq host id interruptions is_resend leased_until workspace_id',
  do_not_call: 'created_at workspace_id',
  ended_attempts:
    'agent_id attempt busy_ms campaign_id duration_ms id is_answered number_id slot turns version_id workspace_id',
  erasures:
    'after_call after_list done_at due_at erased_calls id lists_done requested_at state tries waiting walked workspace_id',
  events: 'call_id dedup event_type id occurred_at seq workspace_id',
  given_up_deliveries: 'at event_seq id outage_id state workspace_id',
  hangup_requests: 'attempt call_id node_id requested_at workspace_id',
  held_counts: 'count ends_at key name process',
  history_exports: 'beat_at filter_hash token workspace_id',
  holds: 'amount at by_stranger expires_at kind step subject_id turns workspace_id',
  idempotency_keys: 'body_hash created_at route status workspace_id',
  installation: 'created_at key value',
  invitations: 'created_at expires_at id invited_by role token_hash workspace_id',
  jobs: 'attempt created_at dedup due_at id kind state workspace_id',
  knowledge_bases: 'created_at id name updated_at workspace_id',
  knowledge_chunks: 'asked body heading kb_id question search seq source_id workspace_id',
  knowledge_sources:
    'answer chunk_count content created_at error format id kb_id kind name size_bytes status stored_bytes updated_at vector_due_at vector_error vector_model vector_target vector_tries workspace_id',
  knowledge_vectors: 'kb_id model seq source_id vector workspace_id',
  ledger: 'amount at attempt call_id kind workspace_id',
  link_keys: 'created_at id retires_at secret signed_old_form',
  limit_counts: 'count ends_at key name since',
  memberships: 'created_at role user_id workspace_id',
  migrations: 'applied_at checksum name',
  nodes: 'beat_at draining fenced_at figures id name roles started_at',
  number_pools: 'created_at id name updated_at workspace_id',
  numbers:
    'call_limit created_at display_name from_file id inbound_agent_id is_spam is_test_number last_used_at number number_pool_id provider purpose rated_at rest_until trunk_id updated_at workspace_id',
  opted_out: 'at workspace_id',
  opted_out_key: 'inner_pad only_row outer_pad',
  password_links: 'created_at expires_at token_hash user_id',
  provisioned_secrets: 'applied_at hash kind workspace_id',
  reaction_days: 'agent_id campaign_id counts day part version_id workspace_id',
  reaction_slots: 'agent_id counts slot workspace_id',
  reaction_weeks: 'agent_id counts slot workspace_id',
  recording_files:
    'adding attempt bytes call_id created_at disk due_at erasures last_error place state taken_until tries workspace_id',
  quality_alerts:
    'agent_id detector margin measure measured_at measured_calls measured_value minimum_calls name place raised_at threshold window_hours workspace_id',
  rehearsal_calls: 'first_call judged rehearsal_id workspace_id',
  rehearsal_lines: 'call key line rehearsal_id workspace_id',
  rehearsals:
    'against_id against_spec against_tag agent_id at_once by_model calls created_at currency ended_at error id max_cost mode played recogniser seed source_id spec spent started_at state stopped_by timing version_id version_tag workspace_id',
  rehearsed_conversations: 'call conversation conversation_before rehearsal_id workspace_id',
  result_changes: 'agent_id at calls campaign_id day id result source workspace_id',
  result_days: 'agent_id calls campaign_id day result source workspace_id',
  scorecards: 'agent_id created_at criteria percent version with_findings workspace_id',
  sessions: 'created_at expires_at id seen_at token_hash user_id',
  storage_use: 'call_records chats counted_at due_at full_kinds quotas recordings tests workspace_id',
  stream_tokens: 'call_hash issued_at sealed_token token_hash trunk_id',
  taken_invites: 'invite_hash node_id taken_at',
  talk_journal: 'at attempt call_id seq workspace_id',
  tombstone_queue: 'at campaign_id kind role seq workspace_id',
  transfer_legs:
    'answered_at attempt by_refer call_id ended_at leg reserved started_at trunk_id workspace_id',
  trunk_registrations: 'ends_at node_id trunk_id',
  trunks:
    'claims created_at from_file id inbound_at inbound_tokens name pace_at pace_tokens paused_until settings updated_at',
  usage_hours: 'charged hour starts workspace_id',
  users: 'created_at id is_operator totp_enabled totp_step',
  web_call_tokens:
    'agent_id by_stranger call_id created_at expires_at max_ms media_type token_hash used_at version_id workspace_id',
  web_chats:
    'agent_id chat_id connected_at created_at expires_at next_hash token_hash version_id workspace_id',
  webhook_outages:
    'checked_at disabled_at dropped failing_from head_id id is_back last_failed_at method probe_at probes recovers refusals since workspace_id',
  webhook_secrets: 'created_at id retires_at secret workspace_id',
  whatsapp_numbers:
    'access_token agent_id app_secret business_account_id created_at display_name id last_error number paused_until phone_number_id updated_at verify_token workspace_id',
  workspace_providers: 'from_file settings updated_at workspace_id',
  workspace_voices: 'description gender languages name voice_id voice_key workspace_id',
  workspaces:
    'archived_at call_limit charged_total created_at credits id locked_credits name next_due_at own_served_at parent_id served_at settings spent_day spent_today starts_total stranger_locked stranger_spent turns_day turns_today unlimited updated_at',
  zone_moves: 'begun_at percent workspace_id zone',
};
