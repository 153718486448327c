// Made by `npm run openapi` of the service: not for editing.
/* oxlint-disable max-lines */

/** Every failed request answers with this body. */
export type ErrorBody = {
  /** What went wrong; for a field, its full path and the rule it breaks. */
  message: string;
  code?: string;
  /** Every field at fault. */
  errors?: Array<{
    field: string;
    message: string;
  }>;
  /** The reason of a 429, as in message. */
  error?: string;
  status?: string;
  /** Also in the header x-request-id. */
  request_id?: string;
};

/** What each operation takes and answers. */
export interface Operations {
  /** Create a single-prompt agent */
  createAgent: {
    input: {
      /** Display name. */
      agent_name: string;
      /** Becomes the Objective prompt section. */
      introduction_and_objective: string;
      /** Becomes the Response Guidelines section. */
      response_guidelines: string;
      /** Becomes the Conversation Script section. */
      task: string;
      /** Becomes the FAQs section. */
      faq?: string;
      /** Turns separated by newlines; appended at the end of the Conversation Script section. */
      sample_conversations?: string;
      primary_language: "en-US" | "en-GB" | "en-AU" | "en-IN" | "hi-IN" | "ta-IN" | "te-IN" | "bn-IN" | "mr-IN" | "kn-IN" | "ms-MY" | "zh-CN" | "od-IN" | "pa-IN" | "my-MM";
      secondary_language?: "en-US" | "en-GB" | "en-AU" | "en-IN" | "hi-IN" | "ta-IN" | "te-IN" | "bn-IN" | "mr-IN" | "kn-IN" | "ms-MY" | "zh-CN" | "od-IN" | "pa-IN" | "my-MM";
      /** From GET /agent/voices; it must speak the languages. */
      voice_id: string;
      /** The agent's first message. */
      intro_message: string;
      /** Default outbound. */
      agent_type?: "inbound" | "outbound" | "outbound_inbound";
      custom_variables?: Array<string>;
      /** Omitted keys keep their value, or on create their default. */
      call_config?: {
        /** When calls may be dialled; may cross midnight, and the same start and end mean the whole day. Absent keys come from the campaign, then the agent. */
        call_time?: {
          call_start_time?: string;
          call_end_time?: string;
          /** IANA zone in Region/City form. EST, MST, HST and GMT never follow daylight saving. */
          timezone?: string;
          days?: Array<"mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun"> | null;
          slots?: Array<{
            start: string;
            end: string;
          }> | null;
          /** Reads the window on the clock of the number that is rung, by its country and area code. Where those leave several zones open (mobile numbers of large countries, toll-free ones) the window must be open in all of them; numbers of no country keep timezone. Default false. */
          use_callee_timezone?: boolean;
        };
        /** Seconds. Default 240. */
        max_call_length?: number;
        /** Seconds; 0 turns the check-in off; less than idle_timeout_end. Default 5. */
        idle_timeout_warning?: number;
        /** Seconds. Default 10. */
        idle_timeout_end?: number;
        noise_filter_config?: {
          /** Default false. */
          filter_noise?: boolean;
          /** Default 80. */
          noise_suppression_level?: number;
        };
        voicemail?: {
          /** Looks for mailboxes and call screening. Default true. */
          detect?: boolean;
          /** On a mailbox: hang up, leave who called and why, or leave static_message after the tone. Default end. */
          action?: "end" | "summarise" | "static_message";
          static_message?: string | null;
          /** Default true. */
          retry?: boolean;
        };
        background_audio_config?: {
          /** Default off. */
          audio_id?: "office_ambience" | null;
          volume?: number | null;
        };
        /** Default true. */
        mute_during_intro?: boolean;
      };
    };
    answer: {
      success: boolean;
      data: {
        id: string;
        version: string;
        version_id: string;
        created_at: string;
      };
      message: string;
    };
  };
  /** List agents, newest first */
  listAgents: {
    input: {
      /** Omit it to get every agent. */
      limit?: number;
      offset?: number;
    };
    answer: {
      status: string;
      data: {
        agents: Array<{
          id: string;
          agent_display_name: string;
          agent_type: string;
          orchestration_mode: string;
          form_fields: Array<unknown>;
          created_at: string;
          updated_at: string;
          inbound_number_id: string | null;
          telephony_id: string | null;
          template_id: string | null;
          template_name: string | null;
          template_label: string | null;
          template_icon: string | null;
          template_type: string | null;
          is_ab_live: boolean;
          active_agent_version_id: string;
          /** The versions of the running A/B test. */
          ab_versions: Array<{
            version_id: string;
            version_slug: string;
            /** Percent of new calls. */
            call_traffic: number;
            /** Since the test began. */
            calls: number;
            answered: number;
            average_duration: number | null;
          }>;
          derived_analytics_keys: unknown;
          classification_labels: Array<string>;
          previous_call_summary: unknown;
          /** Public key of the web widget; it is no API key. */
          webcall_public_key: string;
        }>;
        total: number;
        limit: number;
        offset: number;
      };
    };
  };
  /** One agent with its versions */
  getAgent: {
    input: {
      /** Ask for the inbound settings. */
      type?: "inbound";
      agent_id: string;
    };
    answer: {
      agents: {
        id: string;
        agent_display_name: string;
        agent_type: string;
        orchestration_mode: string;
        form_fields: Array<unknown>;
        created_at: string;
        updated_at: string;
        inbound_number_id: string | null;
        telephony_id: string | null;
        template_id: string | null;
        template_name: string | null;
        template_label: string | null;
        template_icon: string | null;
        template_type: string | null;
        is_ab_live: boolean;
        active_agent_version_id: string;
        /** The versions of the running A/B test. */
        ab_versions: Array<{
          version_id: string;
          version_slug: string;
          /** Percent of new calls. */
          call_traffic: number;
          /** Since the test began. */
          calls: number;
          answered: number;
          average_duration: number | null;
        }>;
        derived_analytics_keys: unknown;
        classification_labels: Array<string>;
        previous_call_summary: unknown;
        /** Public key of the web widget; it is no API key. */
        webcall_public_key: string;
        version_details: Record<string, {
          version_id: string;
          version_slug: string;
          description: string;
          call_traffic: number;
          language: string;
          secondary_language: string | null;
          voice: {
            id: string;
            name: string | null;
          };
          secondary_voice_id: string | null;
          agent_config: {
            agent_prompt: string;
            prompt_sections: Array<{
              section_title: string;
              section_content: string;
            }>;
            intro_message: string;
            custom_variables: Array<string>;
            vocab: Array<string>;
            voice_speed: number;
            vad_settings: {
              interruption_sensitivity?: string;
            };
            mute_during_intro: boolean;
            mute_while_bot_speaking: boolean;
            pre_query_response_phrases: Array<string>;
            pre_query_phrase_probability: number;
            dtmf_settings: unknown;
            /** Set by edit_llm, its key masked; null: the model of the service. */
            llm: Record<string, unknown> | null;
          };
          call_config: {
            call_time: {
              call_start_time: string;
              call_end_time: string;
              timezone: string;
              days: Array<string> | null;
              slots: Array<{
                start: string;
                end: string;
              }> | null;
              use_callee_timezone: boolean;
            };
            max_call_length: number;
            idle_timeout_warning: number;
            idle_timeout_end: number;
            noise_filter_config: {
              filter_noise: boolean;
              noise_suppression_level: number;
            };
            voicemail: {
              detect: boolean;
              action: string;
              static_message: string | null;
              retry: boolean;
            };
            background_audio_config: {
              audio_id: string | null;
              volume: number | null;
            };
            mute_during_intro: boolean;
          };
          knowledge_bases: Array<{
            knowledge_base_id: string;
            knowledge_base_name: string;
          }>;
          /** As sent; what looks like a secret is masked. */
          pre_call_tools: Array<Record<string, unknown>>;
          /** As sent; what looks like a secret is masked. */
          on_call_tools: Array<Record<string, unknown>>;
          /** As sent; what looks like a secret is masked. */
          post_call_tools: Array<Record<string, unknown>>;
          client_analysis: unknown;
          whitelisted_domains: Array<string>;
          chat_settings: unknown;
          event_subscriptions: Array<{
            event_type: Array<string>;
            callback_url: string;
            method_type: string;
            /** Values that look like secrets show four characters and ***; sent back so, they keep what is stored. */
            headers: Record<string, string>;
          }>;
          created_at: string;
          updated_at: string;
        }>;
      };
    };
  };
  /** Archive an agent; its calls stay readable. Its queued calls are cancelled, its inbound numbers reach no agent. */
  deleteAgent: {
    input: {
      agent_id: string;
    };
    answer: {
      message: string;
      agent_id: string;
      /** Queued calls of the agent that were cancelled. */
      cancelled_count: number;
    };
  };
  /** Change one setting of an agent */
  editAgent: {
    input: {
      operation: "edit_prompt";
      agent_id: string;
      /** Default: the active version; while an A/B test runs, the live one that was changed last. */
      version_id?: string;
      /** Replaces the whole prompt: a section left out is deleted. */
      agent_prompt: string | {
        prompt_sections: Array<{
          section_title: string;
          section_content: string;
        }>;
      };
    } | {
      operation: "edit_call_config";
      agent_id: string;
      /** Default: the active version; while an A/B test runs, the live one that was changed last. */
      version_id?: string;
      /** Omitted keys keep their value, or on create their default. */
      call_config: {
        /** When calls may be dialled; may cross midnight, and the same start and end mean the whole day. Absent keys come from the campaign, then the agent. */
        call_time?: {
          call_start_time?: string;
          call_end_time?: string;
          /** IANA zone in Region/City form. EST, MST, HST and GMT never follow daylight saving. */
          timezone?: string;
          days?: Array<"mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun"> | null;
          slots?: Array<{
            start: string;
            end: string;
          }> | null;
          /** Reads the window on the clock of the number that is rung, by its country and area code. Where those leave several zones open (mobile numbers of large countries, toll-free ones) the window must be open in all of them; numbers of no country keep timezone. Default false. */
          use_callee_timezone?: boolean;
        };
        /** Seconds. Default 240. */
        max_call_length?: number;
        /** Seconds; 0 turns the check-in off; less than idle_timeout_end. Default 5. */
        idle_timeout_warning?: number;
        /** Seconds. Default 10. */
        idle_timeout_end?: number;
        noise_filter_config?: {
          /** Default false. */
          filter_noise?: boolean;
          /** Default 80. */
          noise_suppression_level?: number;
        };
        voicemail?: {
          /** Looks for mailboxes and call screening. Default true. */
          detect?: boolean;
          /** On a mailbox: hang up, leave who called and why, or leave static_message after the tone. Default end. */
          action?: "end" | "summarise" | "static_message";
          static_message?: string | null;
          /** Default true. */
          retry?: boolean;
        };
        background_audio_config?: {
          /** Default off. */
          audio_id?: "office_ambience" | null;
          volume?: number | null;
        };
        /** Default true. */
        mute_during_intro?: boolean;
      };
    } | {
      operation: "edit_agent_display_name";
      agent_id: string;
      /** Default: the active version; while an A/B test runs, the live one that was changed last. */
      version_id?: string;
      agent_display_name: string;
    } | {
      operation: "edit_intro_message";
      agent_id: string;
      /** Default: the active version; while an A/B test runs, the live one that was changed last. */
      version_id?: string;
      intro_message: string;
    } | {
      operation: "edit_voice";
      agent_id: string;
      /** Default: the active version; while an A/B test runs, the live one that was changed last. */
      version_id?: string;
      voice_id: string;
      language: "en-US" | "en-IN" | "hi-IN" | "ta-IN" | "te-IN" | "kn-IN" | "mr-IN" | "gu-IN" | "ar-AE";
      secondary_voice_id?: string;
    } | {
      operation: "edit_voice_speed";
      agent_id: string;
      /** Default: the active version; while an A/B test runs, the live one that was changed last. */
      version_id?: string;
      voice_speed: number;
    } | {
      operation: "edit_noise_settings";
      agent_id: string;
      /** Default: the active version; while an A/B test runs, the live one that was changed last. */
      version_id?: string;
      mute_during_intro: boolean;
      /** The caller cannot interrupt at any time. */
      mute_while_bot_speaking: boolean;
    } | {
      operation: "edit_vocab";
      agent_id: string;
      /** Default: the active version; while an A/B test runs, the live one that was changed last. */
      version_id?: string;
      /** Replaces the list; at most 100 words in total. */
      vocab: Array<string>;
    } | {
      operation: "edit_query_phrases";
      agent_id: string;
      /** Default: the active version; while an A/B test runs, the live one that was changed last. */
      version_id?: string;
      pre_query_response_phrases: Array<string>;
      pre_query_phrase_probability?: number;
    } | {
      operation: "edit_vad_settings";
      agent_id: string;
      /** Default: the active version; while an A/B test runs, the live one that was changed last. */
      version_id?: string;
      vad_settings: {
        interruption_sensitivity?: "low" | "default" | "high";
      };
    } | {
      operation: "edit_custom_vars";
      agent_id: string;
      /** Default: the active version; while an A/B test runs, the live one that was changed last. */
      version_id?: string;
      custom_variables: Array<string>;
    } | {
      operation: "edit_event_subscriptions";
      agent_id: string;
      /** Default: the active version; while an A/B test runs, the live one that was changed last. */
      version_id?: string;
      /** Replaces the agent's whole list. */
      event_subscriptions: Array<{
        event_type: "call_started" | "call_ringing" | "call_ongoing" | "call_completed" | "recording_completed" | "platform_analysis_completed" | "client_analysis_completed" | "all_processing_completed" | "chat_completed" | Array<"call_started" | "call_ringing" | "call_ongoing" | "call_completed" | "recording_completed" | "platform_analysis_completed" | "client_analysis_completed" | "all_processing_completed" | "chat_completed">;
        callback_url: string;
        /** Default POST. */
        method_type?: "POST" | "PUT" | "PATCH";
        /** Sent with each delivery, for example an authorization header for the receiver. */
        headers?: Record<string, string>;
      }>;
    } | {
      operation: "attach_inbound_number";
      agent_id: string;
      /** Default: the active version; while an A/B test runs, the live one that was changed last. */
      version_id?: string;
      number_id: string;
    } | {
      operation: "remove_inbound_number";
      agent_id: string;
      /** Default: the active version; while an A/B test runs, the live one that was changed last. */
      version_id?: string;
      number_id: string;
    } | {
      operation: "attach_kb";
      agent_id: string;
      /** Default: the active version; while an A/B test runs, the live one that was changed last. */
      version_id?: string;
      kb_id: string;
    } | {
      operation: "remove_kb";
      agent_id: string;
      /** Default: the active version; while an A/B test runs, the live one that was changed last. */
      version_id?: string;
      kb_id: string;
    } | {
      operation: "edit_agent_whitelisted_domains";
      agent_id: string;
      /** Default: the active version; while an A/B test runs, the live one that was changed last. */
      version_id?: string;
      /** Web addresses whose pages may start web calls. Replaces the list; it must keep the service's own address. */
      whitelisted_domains: Array<string>;
    } | {
      operation: "edit_chat_settings";
      agent_id: string;
      /** Default: the active version; while an A/B test runs, the live one that was changed last. */
      version_id?: string;
      chat_settings: {
        whatsapp_session: {
          idle_timeout_minutes?: number;
          max_duration_minutes?: number;
        };
      };
    } | {
      operation: "edit_dtmf_settings";
      agent_id: string;
      /** Default: the active version; while an A/B test runs, the live one that was changed last. */
      version_id?: string;
      dtmf_settings: {
        /** False: the caller's keys are not listened to. */
        dtmf_capturing_enabled: boolean;
        dtmf_input?: {
          /** Keys after which the answer is whole. */
          digits?: number;
          /** Seconds without a key after which it is. */
          timeout?: number;
          end?: "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "*" | "#";
          reset?: "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "*" | "#";
        };
      };
    } | {
      operation: "edit_client_analysis";
      agent_id: string;
      /** Default: the active version; while an A/B test runs, the live one that was changed last. */
      version_id?: string;
      context?: string;
      /** One of keys. */
      goal_key?: string;
      /** What calls of the agent, in every version, are classified as; replaces the list, and an empty one brings back the service's own labels. */
      classification_labels?: Array<string>;
      /** What is asked about every call. Replaces the analysis; an empty object ends it. */
      keys: Record<string, {
        type: "string" | "number" | "boolean" | "date" | "enum";
        /** What an enum may be. */
        values?: Array<string>;
        description?: string;
        default?: string | number | boolean | null;
      }>;
    } | {
      operation: "create_version";
      agent_id: string;
      /** Default: the active version; while an A/B test runs, the live one that was changed last. */
      version_id?: string;
      description?: string;
    } | {
      operation: "activate_version";
      agent_id: string;
      version_id: string;
    } | {
      operation: "set_ab_test";
      agent_id: string;
      /** Default: the active version; while an A/B test runs, the live one that was changed last. */
      version_id?: string;
      /** call_traffic sums to 100. */
      versions: Array<{
        version_id: string;
        /** Percent of new calls. */
        call_traffic: number;
      }>;
    } | {
      operation: "edit_pre_call_tools";
      agent_id: string;
      /** Default: the active version; while an A/B test runs, the live one that was changed last. */
      version_id?: string;
      /** Asked in this order before the call is dialled (or answered); what they answer can be variables of the prompt. Replaces the list. */
      pre_call_tools: Array<{
        type: "API_TOOL";
        name: string;
        method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
        /** The only host the tool can reach: nothing before the path may vary, and redirects are not followed. */
        url: string;
        /** One for each {name} in the url. */
        path_params?: Record<string, string | number | boolean | {
          source: "variable";
          name: string;
        } | {
          source: "argument";
          type: "string" | "number" | "integer" | "boolean";
          /** What the model should give. */
          description?: string;
          name?: string;
          enum?: Array<string>;
          /** Default true. */
          required?: boolean;
        }>;
        /** Added to the url. */
        query?: Record<string, string | number | boolean | {
          source: "variable";
          name: string;
        } | {
          source: "argument";
          type: "string" | "number" | "integer" | "boolean";
          /** What the model should give. */
          description?: string;
          name?: string;
          enum?: Array<string>;
          /** Default true. */
          required?: boolean;
        }>;
        /** A value may hold {{variables}}. What looks like a secret is kept encrypted and shown as four characters and ***; sent back so, it stays. */
        headers?: Record<string, string>;
        /** A dot in a key makes an object: customer.phone. */
        body?: Record<string, string | number | boolean | {
          source: "variable";
          name: string;
        } | {
          source: "argument";
          type: "string" | "number" | "integer" | "boolean";
          /** What the model should give. */
          description?: string;
          name?: string;
          enum?: Array<string>;
          /** Default true. */
          required?: boolean;
        }>;
        /** Default json. */
        body_format?: "json" | "form";
        /** Default 8. */
        timeout_seconds?: number;
        /** For people. */
        description?: string;
        /** Variable name to its place in the JSON answer. */
        result_variables?: Record<string, string>;
        /** Default continue. fail_call: nobody is rung, and the call ends as PRE_CALL_API_FAILED or is retried as a failed one. */
        on_failure?: "continue" | "fail_call";
      }>;
    } | {
      operation: "edit_on_call_tools";
      agent_id: string;
      /** Default: the active version; while an A/B test runs, the live one that was changed last. */
      version_id?: string;
      /** What the agent may use during a call. Replaces the list. */
      on_call_tools: Array<{
        type: "API_TOOL";
        name: string;
        method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
        /** The only host the tool can reach: nothing before the path may vary, and redirects are not followed. */
        url: string;
        /** One for each {name} in the url. */
        path_params?: Record<string, string | number | boolean | {
          source: "variable";
          name: string;
        } | {
          source: "argument";
          type: "string" | "number" | "integer" | "boolean";
          /** What the model should give. */
          description?: string;
          name?: string;
          enum?: Array<string>;
          /** Default true. */
          required?: boolean;
        }>;
        /** Added to the url. */
        query?: Record<string, string | number | boolean | {
          source: "variable";
          name: string;
        } | {
          source: "argument";
          type: "string" | "number" | "integer" | "boolean";
          /** What the model should give. */
          description?: string;
          name?: string;
          enum?: Array<string>;
          /** Default true. */
          required?: boolean;
        }>;
        /** A value may hold {{variables}}. What looks like a secret is kept encrypted and shown as four characters and ***; sent back so, it stays. */
        headers?: Record<string, string>;
        /** A dot in a key makes an object: customer.phone. */
        body?: Record<string, string | number | boolean | {
          source: "variable";
          name: string;
        } | {
          source: "argument";
          type: "string" | "number" | "integer" | "boolean";
          /** What the model should give. */
          description?: string;
          name?: string;
          enum?: Array<string>;
          /** Default true. */
          required?: boolean;
        }>;
        /** Default json. */
        body_format?: "json" | "form";
        /** Default 8. */
        timeout_seconds?: number;
        /** When to use it: the model decides by this text. */
        description: string;
        /** Variable name to its place in the JSON answer. */
        result_variables?: Record<string, string>;
      } | {
        type: "MCP_SERVER";
        name: string;
        url: string;
        /** A value may hold {{variables}}. What looks like a secret is kept encrypted and shown as four characters and ***; sent back so, it stays. */
        headers?: Record<string, string>;
        /** Default: every tool of the server, 32 at most. */
        allowed_tools?: Array<string>;
        timeout_seconds?: number;
      } | {
        type: "END_CALL_TOOL";
        /** When to use it: the model decides by this text. */
        description?: string;
      } | {
        type: "OPT_OUT_TOOL";
        /** When to use it: the model decides by this text. */
        description?: string;
      } | {
        type: "SCHEDULE_CALLBACK_TOOL";
        /** When to use it: the model decides by this text. */
        description?: string;
      } | {
        type: "DTMF_TOOL";
        name?: string;
        /** When to use it: the model decides by this text. */
        description?: string;
        /** Default: the model says which keys. */
        digits?: string;
      } | {
        type: "WAIT_FOR_DTMF_TOOL";
        name?: string;
        /** When to use it: the model decides by this text. */
        description?: string;
        digits?: number;
        timeout_seconds?: number;
        end?: "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "*" | "#";
      } | {
        type: "CALL_TRANSFER_TOOL";
        name?: string;
        /** When to use it: the model decides by this text. */
        description?: string;
        /** A number in E.164 form, or a SIP address. */
        transfer_to: string;
        /** Default cold: the far side is asked to call the number itself (SIP REFER). warm: the service calls it through the trunk of the call, and connects the two. A transfer that fails keeps the caller. */
        mode?: "cold" | "warm";
        /** A warm transfer only: what the person hears, in the voice of the agent, before the caller is connected. May hold {{variables}}. */
        briefing?: string;
        ring_timeout_seconds?: number;
      }>;
    } | {
      operation: "edit_post_call_tools";
      agent_id: string;
      /** Default: the active version; while an A/B test runs, the live one that was changed last. */
      version_id?: string;
      /** Sent once each when a call is over, with retries and an Idempotency-Key. Beside the variables of the call: call_id, call_status, call_sub_status, call_duration, call_direction, from_number, to_number, agent_id, answered_at, ended_at, hangup_by, transcript, callback_at. Replaces the list. */
      post_call_tools: Array<{
        type: "API_TOOL";
        name: string;
        method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
        /** The only host the tool can reach: nothing before the path may vary, and redirects are not followed. */
        url: string;
        /** One for each {name} in the url. */
        path_params?: Record<string, string | number | boolean | {
          source: "variable";
          name: string;
        } | {
          source: "argument";
          type: "string" | "number" | "integer" | "boolean";
          /** What the model should give. */
          description?: string;
          name?: string;
          enum?: Array<string>;
          /** Default true. */
          required?: boolean;
        }>;
        /** Added to the url. */
        query?: Record<string, string | number | boolean | {
          source: "variable";
          name: string;
        } | {
          source: "argument";
          type: "string" | "number" | "integer" | "boolean";
          /** What the model should give. */
          description?: string;
          name?: string;
          enum?: Array<string>;
          /** Default true. */
          required?: boolean;
        }>;
        /** A value may hold {{variables}}. What looks like a secret is kept encrypted and shown as four characters and ***; sent back so, it stays. */
        headers?: Record<string, string>;
        /** A dot in a key makes an object: customer.phone. */
        body?: Record<string, string | number | boolean | {
          source: "variable";
          name: string;
        } | {
          source: "argument";
          type: "string" | "number" | "integer" | "boolean";
          /** What the model should give. */
          description?: string;
          name?: string;
          enum?: Array<string>;
          /** Default true. */
          required?: boolean;
        }>;
        /** Default json. */
        body_format?: "json" | "form";
        /** Default 15. */
        timeout_seconds?: number;
        /** For people. */
        description?: string;
      }>;
    } | {
      operation: "edit_llm";
      agent_id: string;
      /** Default: the active version; while an A/B test runs, the live one that was changed last. */
      version_id?: string;
      llm: {
        /** default: the service's own model; openai_compatible: a server of yours. */
        provider: "default" | "openai_compatible";
        model?: string;
        base_url?: string;
        /** Kept encrypted, shown as four characters and ***; sent back so, it stays. */
        api_key?: string;
        temperature?: number;
        max_tokens?: number;
      };
    };
    answer: {
      message: string;
      agent_id: string;
      /** The new version, after create_version. */
      version_id?: string;
    };
  };
  /** Change prompt fields, language, voice, first message, type and variables. Each prompt field replaces its own section. Changes the active version; while an A/B test runs, the live one that was changed last. */
  updateAgent: {
    input: {
      agent_id: string;
    } & {
      /** Display name. */
      agent_name?: string;
      /** Becomes the Objective prompt section. */
      introduction_and_objective?: string;
      /** Becomes the Response Guidelines section. */
      response_guidelines?: string;
      /** Becomes the Conversation Script section. */
      task?: string;
      /** Becomes the FAQs section. */
      faq?: string;
      /** Turns separated by newlines; appended at the end of the Conversation Script section. */
      sample_conversations?: string;
      primary_language?: "en-US" | "en-GB" | "en-AU" | "en-IN" | "hi-IN" | "ta-IN" | "te-IN" | "bn-IN" | "mr-IN" | "kn-IN" | "ms-MY" | "zh-CN" | "od-IN" | "pa-IN" | "my-MM";
      /** From GET /agent/voices; it must speak the languages. */
      voice_id?: string;
      /** The agent's first message. */
      intro_message?: string;
      /** Default outbound. */
      agent_type?: "inbound" | "outbound" | "outbound_inbound";
      custom_variables?: Array<string>;
      secondary_language?: "en-US" | "en-GB" | "en-AU" | "en-IN" | "hi-IN" | "ta-IN" | "te-IN" | "bn-IN" | "mr-IN" | "kn-IN" | "ms-MY" | "zh-CN" | "od-IN" | "pa-IN" | "my-MM" | null;
    };
    answer: {
      success: boolean;
      data: {
        id: string;
        version: string;
        version_id: string;
        updated_at: string;
      };
      message: string;
    };
  };
  /** Voices, optionally those that speak one of some languages */
  listVoices: {
    input: {
      /** One language code or several, comma-separated. */
      language?: string;
    };
    answer: {
      voices: Array<{
        id: string;
        name: string;
        languages: Array<string>;
        /** Language code to audio URL. */
        voice_previews: Record<string, string>;
        image_url: string;
        gender: string;
        description: string;
        created_at: string;
        updated_at: string;
      }>;
    };
  };
  /** Place one outbound call. Dials a real number and spends workspace balance. */
  placeCall: {
    input: {
      /** The recipient's name. */
      name: string;
      /** E.164 with country code. Premium, shared-cost, short and emergency numbers are refused. */
      mobile_number: string;
      agent_id: string;
      from_number_id?: string;
      /** Exactly one of from_number_id and from_number. */
      from_number?: string;
      /** One key per prompt variable. */
      custom_args_values?: Record<string, string>;
      call_config?: {
        /** When calls may be dialled; may cross midnight, and the same start and end mean the whole day. Absent keys come from the campaign, then the agent. */
        call_time?: {
          call_start_time?: string;
          call_end_time?: string;
          /** IANA zone in Region/City form. EST, MST, HST and GMT never follow daylight saving. */
          timezone?: string;
          days?: Array<"mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun"> | null;
          slots?: Array<{
            start: string;
            end: string;
          }> | null;
          /** Reads the window on the clock of the number that is rung, by its country and area code. Where those leave several zones open (mobile numbers of large countries, toll-free ones) the window must be open in all of them; numbers of no country keep timezone. Default false. */
          use_callee_timezone?: boolean;
        };
        call_retry_config?: {
          /** Retries after the first attempt. Default 0. */
          retry_count?: number;
          /** Minutes to wait after this outcome. Default 30. */
          retry_busy?: number;
          /** Minutes to wait after this outcome. Default 30. */
          retry_not_picked?: number;
          /** Minutes to wait after this outcome. Default 30. */
          retry_failed?: number;
        };
      };
    };
    answer: {
      status: string;
      data: {
        call_id: string;
        call_direction: string;
        call_status: string;
        call_sub_status: string;
        initiated_at: string;
        agent_id: string;
        custom_args_values: Record<string, string>;
      };
      message: string;
    };
  };
  /** Place one outbound call with choices of its own. As the older variant, and: a number pool, a voice, a version, a receiver of its own. */
  placeCallV2: {
    input: {
      /** The recipient's name. */
      name: string;
      /** E.164 with country code. Premium, shared-cost, short and emergency numbers are refused. */
      mobile_number: string;
      agent_id: string;
      from_number_id?: string;
      /** Exactly one of from_number_id and from_number. */
      from_number?: string;
      /** One key per prompt variable. */
      custom_args_values?: Record<string, string>;
      call_config?: {
        /** When calls may be dialled; may cross midnight, and the same start and end mean the whole day. Absent keys come from the campaign, then the agent. */
        call_time?: {
          call_start_time?: string;
          call_end_time?: string;
          /** IANA zone in Region/City form. EST, MST, HST and GMT never follow daylight saving. */
          timezone?: string;
          days?: Array<"mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun"> | null;
          slots?: Array<{
            start: string;
            end: string;
          }> | null;
          /** Reads the window on the clock of the number that is rung, by its country and area code. Where those leave several zones open (mobile numbers of large countries, toll-free ones) the window must be open in all of them; numbers of no country keep timezone. Default false. */
          use_callee_timezone?: boolean;
        };
        call_retry_config?: {
          /** Retries after the first attempt. Default 0. */
          retry_count?: number;
          /** Minutes to wait after this outcome. Default 30. */
          retry_busy?: number;
          /** Minutes to wait after this outcome. Default 30. */
          retry_not_picked?: number;
          /** Minutes to wait after this outcome. Default 30. */
          retry_failed?: number;
        };
      };
      /** Takes the caller number from a pool. Exactly one of from_number_id, from_number and number_pool_id. */
      number_pool_id?: string;
      /** For this call alone; it must speak the version's languages. */
      voice_id?: string;
      /** Default: the active version, or its share of a running A/B test. */
      version_id?: string;
      call_category?: string;
      /** A call of this workspace that this one follows. */
      parent_call_id?: string;
      /** Told of this call's call_completed events (one per finished attempt) and its all_processing_completed, beside the agent's subscriptions. */
      callback_url?: string;
      callback_args?: {
        headers?: Record<string, string>;
        /** Added to the query of callback_url. */
        params?: Record<string, string>;
      };
    };
    answer: {
      status: string;
      data: {
        call_id: string;
        call_direction: string;
        call_status: string;
        call_sub_status: string;
        initiated_at: string;
        agent_id: string;
        custom_args_values: Record<string, string>;
      };
      message: string;
    };
  };
  /** End a live call */
  hangUpCall: {
    input: {
      call_id: string;
    };
    answer: {
      status: string;
      data: {
        call_id: string;
      };
      message: string;
    };
  };
  /** Calls, newest first */
  listCalls: {
    input: {
      /** At most 200; more answers 400. */
      limit?: number;
      offset?: number;
      bulk_list_id?: string;
      agent_id?: string;
      status?: "registered" | "ongoing" | "retry" | "completed" | "failed" | "error" | "cancelled";
      call_type?: "outbound" | "inbound" | "webcall";
      from_number?: string;
      to_number?: string;
      /** A date (the whole day, UTC) or an ISO 8601 time with offset. */
      start_date?: string;
      /** A date (the whole day, UTC) or an ISO 8601 time with offset. */
      end_date?: string;
    };
    answer: {
      calls: Array<{
        id: string;
        call_id: string;
        call_direction: string;
        call_type: string;
        call_status: string;
        call_sub_status: string;
        from_number: string;
        to_number: string;
        callee_name: string;
        agent_id: string;
        agent_name: string | null;
        version_id: string;
        bulk_list_id: string | null;
        call_category: string | null;
        parent_call_id: string | null;
        scheduled_callback_call_id: string | null;
        custom_args_values: Record<string, string>;
        call_duration: number | null;
        /** Credits. */
        call_cost: number;
        retry_count: number;
        next_attempt_at: string | null;
        initiation_time: string;
        answered_at: string | null;
        ended_at: string | null;
        hangup_by: string | null;
        recording_url: string | null;
      }>;
      limit: number;
      offset: number;
      /** Calls on this page. */
      count: number;
      total: number;
    };
  };
  /** One call: transcript, recording, attempts, latency, analysis */
  getCall: {
    input: {
      /** The call ID. */
      id: string;
      send_analysis?: boolean;
    };
    answer: {
      status: string;
      data: {
        id: string;
        call_id: string;
        call_direction: string;
        call_type: string;
        call_status: string;
        call_sub_status: string;
        from_number: string;
        to_number: string;
        callee_name: string;
        agent_id: string;
        agent_name: string | null;
        version_id: string;
        bulk_list_id: string | null;
        call_category: string | null;
        parent_call_id: string | null;
        scheduled_callback_call_id: string | null;
        custom_args_values: Record<string, string>;
        call_duration: number | null;
        /** Credits. */
        call_cost: number;
        retry_count: number;
        next_attempt_at: string | null;
        initiation_time: string;
        answered_at: string | null;
        ended_at: string | null;
        hangup_by: string | null;
        recording_url: string | null;
        transcription_url: string | null;
        /** The conversation was cut off by a crash: transcript, latency and tool log are as far as they were kept. */
        transcript_partial: boolean;
        recording_duration: number | null;
        attempts: Array<{
          attempt_number: number;
          started_at: string;
          ringing_at: string | null;
          answered_at: string | null;
          ended_at: string | null;
          status: string;
          sub_status: string | null;
          sip_code: number | null;
          sip_call_id: string | null;
          reason: string | null;
          setup_seconds: number | null;
          ring_seconds: number | null;
          duration: number | null;
          /** Credits. */
          cost: number;
          recording_url: string | null;
        }>;
        latency: {
          turns: Array<{
            turn: number;
            endpointing_ms: number | null;
            recognition_ms: number | null;
            model_ms: number | null;
            voice_ms: number | null;
            network_ms: number | null;
            total_ms: number | null;
            /** The reply was begun before the turn was over. */
            prepared: boolean;
          }>;
          p50_ms: number | null;
          p95_ms: number | null;
          max_ms: number | null;
        };
        network: {
          codec: string;
          packets_sent: number;
          packets_received: number;
          packets_lost: number;
          loss_percent: number;
          /** Came when their place had been played. */
          packets_late: number;
          duplicates: number;
          /** Came from somebody else and were not heard. */
          stray_packets: number;
          /** Audio made up where packets were missing. */
          concealed_ms: number;
          jitter_ms: number;
          round_trip_ms: number | null;
          remote_loss_percent: number | null;
          remote_jitter_ms: number | null;
        } | null;
        /** The same of each second leg that was answered: of whom the caller was handed to by a warm transfer. */
        transfer_network: Array<{
          codec: string;
          packets_sent: number;
          packets_received: number;
          packets_lost: number;
          loss_percent: number;
          /** Came when their place had been played. */
          packets_late: number;
          duplicates: number;
          /** Came from somebody else and were not heard. */
          stray_packets: number;
          /** Audio made up where packets were missing. */
          concealed_ms: number;
          jitter_ms: number;
          round_trip_ms: number | null;
          remote_loss_percent: number | null;
          remote_jitter_ms: number | null;
        }>;
        first_utterance_seconds: number | null;
        /** Times the caller cut the agent short. */
        interruptions: number;
        tool_call_logs: Array<unknown>;
        erased_at: string | null;
        /** Absent until the analysis has run. */
        platform_analysis?: {
          summary?: string | null;
          classification?: string | null;
          key_points?: Array<string>;
          action_items?: Array<string>;
          sentiment?: "positive" | "neutral" | "negative" | null;
          callback_requested?: boolean;
          callback_requested_time?: string | null;
          callback_requested_words?: string | null;
          call_disconnect_reason?: string;
          /** The zone in which named days and hours were read. */
          timezone?: string;
          /** failed: every try did; nothing was found out. */
          status?: "analyzed" | "failed";
          /** offline-rules, or the name of the model. */
          analyzed_by?: string;
        };
        /** A value of its type for every key of edit_client_analysis: read from the call, else its default, else null. */
        client_analysis?: Record<string, string | number | boolean | null>;
      };
    };
  };
  /** Watch a call live. Server-sent events: status, line (a finished line of the transcript), latency (one turn), interrupted, dtmf, notice, ended. The stream ends with the attempt under way. */
  watchCall: {
    input: {
      call_id: string;
    };
    answer: Response;
  };
  /** Number pools */
  listNumberPools: {
    input: object;
    answer: {
      number_pools: Array<{
        id: string;
        name: string;
        created_at: string;
        updated_at: string;
        /** The next to call first. */
        numbers: Array<{
          from_number_id: string;
          number: string;
          display_name: string;
          is_spam: boolean;
          last_used_at: string | null;
        }>;
      }>;
    };
  };
  /** Make a number pool. Calls placed with a pool rotate through its numbers, least recently used first; numbers marked as spam or at their call limit are skipped. */
  createNumberPool: {
    input: {
      name: string;
      /** from_number_id of numbers of the workspace; none of them in another pool. */
      from_number_ids?: Array<string>;
    };
    answer: {
      number_pool: {
        id: string;
        name: string;
        created_at: string;
        updated_at: string;
        /** The next to call first. */
        numbers: Array<{
          from_number_id: string;
          number: string;
          display_name: string;
          is_spam: boolean;
          last_used_at: string | null;
        }>;
      };
    };
  };
  /** One number pool */
  getNumberPool: {
    input: {
      number_pool_id: string;
    };
    answer: {
      number_pool: {
        id: string;
        name: string;
        created_at: string;
        updated_at: string;
        /** The next to call first. */
        numbers: Array<{
          from_number_id: string;
          number: string;
          display_name: string;
          is_spam: boolean;
          last_used_at: string | null;
        }>;
      };
    };
  };
  /** Rename a number pool */
  renameNumberPool: {
    input: {
      number_pool_id: string;
    } & {
      name: string;
    };
    answer: {
      number_pool: {
        id: string;
        name: string;
        created_at: string;
        updated_at: string;
        /** The next to call first. */
        numbers: Array<{
          from_number_id: string;
          number: string;
          display_name: string;
          is_spam: boolean;
          last_used_at: string | null;
        }>;
      };
    };
  };
  /** Delete a number pool; its numbers stay. Refused (409) while a campaign that calls from it runs. */
  deleteNumberPool: {
    input: {
      number_pool_id: string;
    };
    answer: {
      message: string;
      number_pool_id: string;
    };
  };
  /** Add numbers to a pool */
  addNumberPoolMembers: {
    input: {
      number_pool_id: string;
    } & {
      from_number_ids: Array<string>;
    };
    answer: {
      number_pool: {
        id: string;
        name: string;
        created_at: string;
        updated_at: string;
        /** The next to call first. */
        numbers: Array<{
          from_number_id: string;
          number: string;
          display_name: string;
          is_spam: boolean;
          last_used_at: string | null;
        }>;
      };
    };
  };
  /** Take numbers out of a pool. Refused (409) when a running campaign would have none left to call from. */
  removeNumberPoolMembers: {
    input: {
      number_pool_id: string;
    } & {
      from_number_ids: Array<string>;
    };
    answer: {
      number_pool: {
        id: string;
        name: string;
        created_at: string;
        updated_at: string;
        /** The next to call first. */
        numbers: Array<{
          from_number_id: string;
          number: string;
          display_name: string;
          is_spam: boolean;
          last_used_at: string | null;
        }>;
      };
    };
  };
  /** Start a campaign. Its contacts are called within every limit and window from its start time on. 400 when it has already started, or when agent_id is not the agent of its list. 402 when the balance does not cover one pulse for every contact that waits. A refusal changes nothing. */
  startCampaign: {
    input: {
      agent_id: string;
      /** Told of every call's call_completed, then once of campaign_completed. */
      callback_url?: string;
      /** The campaign's share of the workspace's calls at once. */
      concurrency_percentage?: number;
      /** Pauses the campaign when calls fail at the carrier or in the service; a callee who is busy or does not answer is no failure. Absent keys: the workspace's, then the defaults. */
      circuit_breaker?: {
        /** Pauses when this share of the last calls failed. Default 0.5. */
        failed_share?: number;
        /** How many of the last calls count. Default 50. */
        window_calls?: number;
        /** Fewer calls say nothing. Default 20. */
        minimum_calls?: number;
      };
      list_id: string;
      /** from_number_id of caller numbers that take turns; none of them a test number. */
      from_numbers: Array<string>;
    };
    answer: {
      status: string;
      message: string;
      list_id: string;
      /** Calls of the workspace are in progress; they share its limits. */
      has_ongoing_calls: boolean;
    };
  };
  /** Start a campaign with caller numbers or a number pool. Its contacts are called within every limit and window from its start time on. 400 when it has already started, or when agent_id is not the agent of its list. 402 when the balance does not cover one pulse for every contact that waits. A refusal changes nothing. */
  startCampaignV2: {
    input: {
      agent_id: string;
      /** Told of every call's call_completed, then once of campaign_completed. */
      callback_url?: string;
      /** The campaign's share of the workspace's calls at once. */
      concurrency_percentage?: number;
      /** Pauses the campaign when calls fail at the carrier or in the service; a callee who is busy or does not answer is no failure. Absent keys: the workspace's, then the defaults. */
      circuit_breaker?: {
        /** Pauses when this share of the last calls failed. Default 0.5. */
        failed_share?: number;
        /** How many of the last calls count. Default 50. */
        window_calls?: number;
        /** Fewer calls say nothing. Default 20. */
        minimum_calls?: number;
      };
      list_id: string;
      /** from_number_id of caller numbers that take turns; none of them a test number. */
      from_numbers?: Array<string>;
      /** Takes the caller numbers from a pool. Exactly one of from_numbers and number_pool_id. */
      number_pool_id?: string;
    };
    answer: {
      status: string;
      message: string;
      list_id: string;
      /** Calls of the workspace are in progress; they share its limits. */
      has_ongoing_calls: boolean;
    };
  };
  /** Whether the balance covers a campaign. One pulse for every contact that waits. 402 with the same keys when it does not. */
  checkCampaignBalance: {
    input: {
      bulk_list_id: string;
    };
    answer: {
      bulk_list_id: string;
      status: "uploaded" | "verifying" | "draft" | "scheduled" | "ongoing" | "paused" | "completed" | "terminated" | "failed" | "insufficient_balance";
      /** One pulse for every contact that waits. */
      required_credits: number;
      /** The balance without what live calls hold locked. */
      available_credits: number;
      sufficient_balance: boolean;
      message: string;
    };
  };
  /** Start a campaign of the large flow. Its contacts are called within every limit and window from its start time on. 400 when it has already started, or when agent_id is not the agent of its list. 402 when the balance does not cover one pulse for every contact that waits. A refusal changes nothing. */
  makeCampaignCalls: {
    input: {
      agent_id: string;
      /** Told of every call's call_completed, then once of campaign_completed. */
      callback_url?: string;
      /** The campaign's share of the workspace's calls at once. */
      concurrency_percentage?: number;
      /** Pauses the campaign when calls fail at the carrier or in the service; a callee who is busy or does not answer is no failure. Absent keys: the workspace's, then the defaults. */
      circuit_breaker?: {
        /** Pauses when this share of the last calls failed. Default 0.5. */
        failed_share?: number;
        /** How many of the last calls count. Default 50. */
        window_calls?: number;
        /** Fewer calls say nothing. Default 20. */
        minimum_calls?: number;
      };
      bulk_list_id: string;
      /** from_number_id of caller numbers that take turns; none of them a test number. */
      from_numbers?: Array<string>;
      /** Takes the caller numbers from a pool. Exactly one of from_numbers and number_pool_id. */
      number_pool_id?: string;
    };
    answer: {
      message: string;
      bulk_list_id: string;
      status: string;
    };
  };
  /** Campaigns, newest first */
  listCampaigns: {
    input: {
      /** False leaves the counts out. */
      call_count?: boolean;
      /** At most 200; more answers 400. */
      limit?: number;
      offset?: number;
    };
    answer: {
      campaigns: Array<{
        id: string;
        name: string;
        campaign_status: "uploaded" | "verifying" | "draft" | "scheduled" | "ongoing" | "paused" | "completed" | "terminated" | "failed" | "insufficient_balance";
        message: string | null;
        agent_id: string;
        campaign_start_time: string | null;
        campaign_end_time: string | null;
        created_at: string;
        updated_at: string;
        started_at: string | null;
        ended_at: string | null;
        /** Contacts; the other counts always add up to it. */
        total_count?: number;
        registered_count?: number;
        ongoing_count?: number;
        retry_count?: number;
        completed_count?: number;
        /** Ended as failed or as error. */
        failed_count?: number;
        cancelled_count?: number;
      }>;
      pagination: {
        total: number;
        limit: number;
        offset: number;
      };
    };
  };
  /** One campaign: state, counts, rules, money */
  getCampaign: {
    input: {
      campaign_id: string;
    };
    answer: {
      campaign: {
        id: string;
        name: string;
        campaign_status: "uploaded" | "verifying" | "draft" | "scheduled" | "ongoing" | "paused" | "completed" | "terminated" | "failed" | "insufficient_balance";
        message: string | null;
        agent_id: string;
        campaign_start_time: string | null;
        campaign_end_time: string | null;
        created_at: string;
        updated_at: string;
        started_at: string | null;
        ended_at: string | null;
        /** Contacts; the other counts always add up to it. */
        total_count: number;
        registered_count: number;
        ongoing_count: number;
        retry_count: number;
        completed_count: number;
        /** Ended as failed or as error. */
        failed_count: number;
        cancelled_count: number;
        list_id: string;
        bulk_list_id: string;
        call_config: {
          /** When calls may be dialled; may cross midnight, and the same start and end mean the whole day. Absent keys come from the campaign, then the agent. */
          call_time?: {
            call_start_time?: string;
            call_end_time?: string;
            /** IANA zone in Region/City form. EST, MST, HST and GMT never follow daylight saving. */
            timezone?: string;
            days?: Array<"mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun"> | null;
            slots?: Array<{
              start: string;
              end: string;
            }> | null;
            /** Reads the window on the clock of the number that is rung, by its country and area code. Where those leave several zones open (mobile numbers of large countries, toll-free ones) the window must be open in all of them; numbers of no country keep timezone. Default false. */
            use_callee_timezone?: boolean;
          };
          call_retry_config?: {
            /** Retries after the first attempt. Default 0. */
            retry_count?: number;
            /** Minutes to wait after this outcome. Default 30. */
            retry_busy?: number;
            /** Minutes to wait after this outcome. Default 30. */
            retry_not_picked?: number;
            /** Minutes to wait after this outcome. Default 30. */
            retry_failed?: number;
          };
        } | null;
        from_numbers: Array<string>;
        number_pool_id: string | null;
        callback_url: string | null;
        concurrency_percentage: number | null;
        circuit_breaker: {
          failed_share: number;
          window_calls: number;
          minimum_calls: number;
        };
        /** Retries each contact gets, and the minutes before one after each outcome. */
        retry_budget: {
          retry_count: number;
          retry_busy: number;
          retry_not_picked: number;
          retry_failed: number;
        };
        /** Of the contacts that are done. */
        spent_credits: number;
        /** One pulse for every contact that waits. */
        required_credits: number;
        total_rows: number;
        successful_rows: number;
        failed_rows: number;
      };
    };
  };
  /** What became of every contact, as a CSV file in the order of the list. Row, number, outcome, attempts, duration in seconds, cost in credits, recording, then the contact's variables. Any time, whether or not the campaign is over; 409 while the same report runs. Text that a spreadsheet would take for a formula has an apostrophe before it. */
  reportCampaign: {
    input: {
      campaign_id: string;
    };
    answer: Response;
  };
  /** Dial nothing more of a campaign until it is resumed. At once: no INVITE leaves after the answer. Live calls go on. */
  pauseCampaign: {
    input: {
      campaign_id: string;
    };
    answer: {
      message: string;
      campaign_id: string;
      campaign_status: "uploaded" | "verifying" | "draft" | "scheduled" | "ongoing" | "paused" | "completed" | "terminated" | "failed" | "insufficient_balance";
    };
  };
  /** Go on with a campaign that is paused or out of credits. The circuit breaker looks only at calls from here on. One that is out of credits also goes on by itself when there are some. 402 while the balance does not cover one pulse. */
  resumeCampaign: {
    input: {
      campaign_id: string;
    };
    answer: {
      message: string;
      campaign_id: string;
      campaign_status: "uploaded" | "verifying" | "draft" | "scheduled" | "ongoing" | "paused" | "completed" | "terminated" | "failed" | "insufficient_balance";
    };
  };
  /** Stop queued and retry calls. None of them is dialled after the answer. Live calls go on, and are not tried again. 400 when nothing is left to stop. A campaign ends terminated whatever was left of it, one that was over stays as it is; an agent's running campaigns end with its calls, contact lists that were not started stay. */
  terminateCalls: {
    input: {
      campaign_id?: string;
      agent_id?: string;
      call_ids?: Array<string>;
      /** E.164 with country code. */
      mobile_numbers?: Array<string>;
    };
    answer: {
      message: string;
      /** Queued and retry calls that were stopped. Those of a large campaign end behind the answer. */
      terminated_count: number;
    };
  };
  /** The do-not-call list, newest first */
  listDoNotCall: {
    input: {
      /** The campaign whose own list is meant; without it, the workspace's. */
      campaign_id?: string;
      /** Looks for one. */
      mobile_number?: string;
      limit?: number;
      offset?: number;
    };
    answer: {
      numbers: Array<{
        mobile_number: string;
        /** ADDED by the API, or OPTED_OUT on a call. */
        reason: string;
        created_at: string;
      }>;
      limit: number;
      offset: number;
      /** Numbers on this page. */
      count: number;
      total: number;
    };
  };
  /** List numbers that are not called; calls queued to them are cancelled */
  addDoNotCall: {
    input: {
      /** The campaign whose own list is meant; without it, the workspace's. */
      campaign_id?: string;
      /** E.164 with country code. */
      mobile_numbers: Array<string>;
    };
    answer: {
      message: string;
      /** Numbers that were not listed before. */
      added_count: number;
      /** Queued calls to them that were cancelled. */
      cancelled_count: number;
    };
  };
  /** Take numbers off the do-not-call list */
  removeDoNotCall: {
    input: {
      /** The campaign whose own list is meant; without it, the workspace's. */
      campaign_id?: string;
      /** E.164 with country code. */
      mobile_numbers: Array<string>;
    };
    answer: {
      message: string;
      removed_count: number;
    };
  };
  /** Calls as a CSV file, newest first. Streams every call that matches. 409 while the same export of the workspace runs. Text that a spreadsheet would take for a formula has an apostrophe before it. */
  exportCalls: {
    input: {
      bulk_list_id?: string;
      agent_id?: string;
      status?: "registered" | "ongoing" | "retry" | "completed" | "failed" | "error" | "cancelled";
      call_type?: "outbound" | "inbound" | "webcall";
      from_number?: string;
      to_number?: string;
      /** A date (the whole day, UTC) or an ISO 8601 time with offset. */
      start_date?: string;
      /** A date (the whole day, UTC) or an ISO 8601 time with offset. */
      end_date?: string;
      /** Adds the columns of platform and client analysis. */
      send_analysis?: boolean;
    };
    answer: Response;
  };
  /** The waveform of a recording: at most 2000 points. In the JSON form of audiowaveform (version 2). The same is at the signed address of the recording with .peaks.json, without a key. */
  getRecordingPeaks: {
    input: {
      /** One attempt's own recording; without it, that of the last attempt that was recorded. */
      attempt?: number;
      call_id: string;
    };
    answer: {
      version: number;
      channels: number;
      sample_rate: number;
      /** Sample frames a point covers. */
      samples_per_pixel: number;
      bits: number;
      /** Points. */
      length: number;
      /** Of every point in turn, of every channel: lowest and highest sample, -128 to 127. */
      data: Array<number>;
    };
  };
  /** Erase the personal data of one ended call. Recording, transcript, tool log, analyses, name and values go, and their copies in events; events still to be delivered go out without them. The call stays in history and sums with its number masked; what it cost stays. Numbers on the do-not-call list stay listed. Doing it again changes nothing more. 409 while the call has not ended. */
  eraseCall: {
    input: {
      call_id: string;
    };
    answer: {
      message: string;
      call_id: string;
      erased_at: string;
    };
  };
  /** Erase everything with some phone numbers. In all calls to them and from them, and in the refused rows of contact lists. Recording, transcript, tool log, analyses, name and values go, and their copies in events; events still to be delivered go out without them. The call stays in history and sums with its number masked; what it cost stays. Numbers on the do-not-call list stay listed. Queued calls to the numbers are cancelled before the answer; live ones are erased when they end. The rest is done behind the answer. */
  eraseNumbers: {
    input: {
      /** In E.164 form. */
      mobile_numbers: Array<string>;
    };
    answer: {
      message: string;
      erasure_id: string;
      /** Queued calls to the numbers that were cancelled. */
      cancelled_count: number;
    };
  };
  /** How far an erasure has come */
  getErasure: {
    input: {
      erasure_id: string;
    };
    answer: {
      erasure_id: string;
      /** running, or done: nothing is left, files included. */
      status: string;
      erased_calls: number;
      /** Calls that were live and are erased when they end. */
      waiting_calls: number;
      /** Recordings, with what was made of them, that are still to be deleted from a disk or the store. */
      waiting_files: number;
      requested_at: string;
      done_at: string | null;
    };
  };
  /** How long the workspace keeps what */
  getRetention: {
    input: object;
    answer: {
      /** Days a recording is kept after its call; null: for ever. */
      recording_days: number | null;
      /** Days transcript, tool log and analyses are kept after their call; null: for ever. */
      transcript_days: number | null;
      /** Days an entry of the audit log is kept; null: for ever. */
      audit_days: number | null;
    };
  };
  /** Change how long the workspace keeps what. What is over by the new rules is deleted within the hour, in batches. Deleting a transcript takes it out of the copies in events too. */
  setRetention: {
    input: {
      /** Days a recording is kept after its call; null: for ever. */
      recording_days?: number | null;
      /** Days transcript, tool log and analyses are kept after their call; null: for ever. */
      transcript_days?: number | null;
      /** Days an entry of the audit log is kept; null: for ever. */
      audit_days?: number | null;
    };
    answer: {
      /** Days a recording is kept after its call; null: for ever. */
      recording_days: number | null;
      /** Days transcript, tool log and analyses are kept after their call; null: for ever. */
      transcript_days: number | null;
      /** Days an entry of the audit log is kept; null: for ever. */
      audit_days: number | null;
    };
  };
  /** Who did what in the workspace, newest first. Every request that may change something, refused ones too, and every recording that was listened to. Entries cannot be changed; how long they are kept is part of the retention rules. */
  listAuditLog: {
    input: {
      /** At most 200; more answers 400. */
      limit?: number;
      /** next_before of the page before this one. */
      before?: string;
      /** A date (the whole day, UTC) or an ISO 8601 time with offset. */
      start_date?: string;
      /** A date (the whole day, UTC) or an ISO 8601 time with offset. */
      end_date?: string;
      action?: string;
      actor?: string;
      request_id?: string;
      /** Any id an entry names: a call, an agent … */
      object_id?: string;
    };
    answer: {
      entries: Array<{
        id: string;
        at: string;
        actor: {
          /** api_key, user, signed_link, or operator: the provision file. */
          type: string;
          /** A key by its first and last characters; in the log of a child workspace, that of its parent too. */
          name: string;
        };
        /** The operationId of the endpoint, or provision. */
        action: string;
        method: string;
        route: string;
        /** What the request was answered with. */
        status: number;
        /** Ids the request was about; nothing else of its body. Of the provision file: what it changed. */
        objects: Record<string, unknown>;
        request_id: string;
        address: string | null;
      }>;
      limit: number;
      next_before: string | null;
    };
  };
  /** Child workspaces */
  listSubWorkspaces: {
    input: object;
    answer: {
      sub_workspaces: Array<{
        id: string;
        name: string;
        created_at: string;
        parent_workspace_id: string | null;
        /** Credits. */
        credits: number;
        /** Credits. */
        locked_credits: number;
        unlimited: boolean;
        concurrency: number;
        /** Made in the dashboard; a new child has none. */
        has_api_key: boolean;
      }>;
    };
  };
  /** Make a child workspace. It has no key until one is made in the dashboard, and no credits and calls until allocated. */
  createSubWorkspace: {
    input: {
      name: string;
    };
    answer: {
      message: string;
      sub_workspace: {
        id: string;
        name: string;
        created_at: string;
        parent_workspace_id: string | null;
        /** Credits. */
        credits: number;
        /** Credits. */
        locked_credits: number;
        unlimited: boolean;
        concurrency: number;
        /** Made in the dashboard; a new child has none. */
        has_api_key: boolean;
      };
    };
  };
  /** Give a child workspace calls at once */
  setSubWorkspaceConcurrency: {
    input: {
      workspace_id: string;
    } & {
      /** Calls at once, out of the parent's own: the parent keeps what its children do not have. A lower limit ends no call: while calls above it are live, the rest of the family may have as many fewer at once. */
      concurrency: number;
    };
    answer: {
      message: string;
      sub_workspace: {
        id: string;
        name: string;
        created_at: string;
        parent_workspace_id: string | null;
        /** Credits. */
        credits: number;
        /** Credits. */
        locked_credits: number;
        unlimited: boolean;
        concurrency: number;
        /** Made in the dashboard; a new child has none. */
        has_api_key: boolean;
      };
    };
  };
  /** Set the balances of child workspaces */
  allocateCredits: {
    input: {
      /** Workspace ID of a child to the balance it shall have, in credits. All are set, or none. */
      allocations: Record<string, number>;
    };
    answer: {
      message: string;
      /** What the parent has now. */
      credits: number;
      /** Credits. */
      locked_credits: number;
      sub_workspaces: Array<{
        id: string;
        name: string;
        created_at: string;
        parent_workspace_id: string | null;
        /** Credits. */
        credits: number;
        /** Credits. */
        locked_credits: number;
        unlimited: boolean;
        concurrency: number;
        /** Made in the dashboard; a new child has none. */
        has_api_key: boolean;
      }>;
    };
  };
  /** The workspace of the key; the simplest check of a key */
  getWorkspace: {
    input: object;
    answer: {
      workspace_info: {
        id: string;
        name: string;
        created_at: string;
        /** Credits. */
        credits: number;
        /** Credits. */
        locked_credits: number;
        /** Billing is off. */
        unlimited: boolean;
        api_key: string | null;
      };
    };
  };
  /** Every workspace the key's user can access */
  listWorkspaces: {
    input: object;
    answer: {
      workspaces: Array<{
        id: string;
        name: string;
        created_at: string;
        role: string;
        parent_workspace_id: string | null;
        /** Credits. */
        credits: number;
        /** Credits. */
        locked_credits: number;
        unlimited: boolean;
      }>;
    };
  };
  /** The numbers of the workspace; not paged */
  listNumbers: {
    input: object;
    answer: {
      workspace_numbers: Array<{
        id: string;
        number: string;
        agent: {
          id: string;
          agent_display_name: string;
          agent_type: string | null;
        } | null;
        is_test_number: boolean;
        is_spam: boolean;
        provider: string;
        display_name: string;
        number_pool_id: string | null;
      }>;
    };
  };
  /** Refused: keys are made in the dashboard only */
  rotateKey: {
    input: object;
    answer: Response;
  };
  /** Totals of ended calls, and by day */
  getPlatformAnalytics: {
    input: {
      /** A date, UTC, counted in; of an ISO 8601 time with offset its day counts. */
      start_date?: string;
      /** A date, UTC, counted in; of an ISO 8601 time with offset its day counts. */
      end_date?: string;
      agent_id?: string;
      bulk_list_id?: string;
    };
    answer: {
      status: string;
      data: {
        start_date: string | null;
        end_date: string | null;
        /** Calls that have ended: completed, failed, error or cancelled. */
        total_calls: number;
        /** Calls whose last attempt was answered. */
        answered_calls: number;
        completed_calls: number;
        /** 0 to 1; 0 where there is nothing to share. */
        answer_rate: number;
        /** Every dialled attempt, retries included. */
        total_attempts: number;
        /** Seconds of talk in the last attempts. */
        total_duration: number;
        /** Seconds of talk per answered call. */
        average_duration: number;
        /** Credits, of all attempts. */
        total_cost: number;
        failed_calls: number;
        error_calls: number;
        cancelled_calls: number;
        outbound_calls: number;
        inbound_calls: number;
        web_calls: number;
        /** Days that have ended calls, oldest first. */
        daily: Array<{
          date: string;
          /** Calls that have ended: completed, failed, error or cancelled. */
          total_calls: number;
          /** Calls whose last attempt was answered. */
          answered_calls: number;
          completed_calls: number;
          /** 0 to 1; 0 where there is nothing to share. */
          answer_rate: number;
          /** Every dialled attempt, retries included. */
          total_attempts: number;
          /** Seconds of talk in the last attempts. */
          total_duration: number;
          /** Seconds of talk per answered call. */
          average_duration: number;
          /** Credits, of all attempts. */
          total_cost: number;
        }>;
      };
    };
  };
  /** Ended calls by outcome, by agent and version, by campaign */
  getDrillDownAnalytics: {
    input: {
      /** A date, UTC, counted in; of an ISO 8601 time with offset its day counts. */
      start_date?: string;
      /** A date, UTC, counted in; of an ISO 8601 time with offset its day counts. */
      end_date?: string;
      agent_id?: string;
      bulk_list_id?: string;
    };
    answer: {
      status: string;
      data: {
        start_date: string | null;
        end_date: string | null;
        outcomes: Array<{
          status: string;
          /** Calls that have ended: completed, failed, error or cancelled. */
          total_calls: number;
          /** Calls whose last attempt was answered. */
          answered_calls: number;
          completed_calls: number;
          /** 0 to 1; 0 where there is nothing to share. */
          answer_rate: number;
          /** Every dialled attempt, retries included. */
          total_attempts: number;
          /** Seconds of talk in the last attempts. */
          total_duration: number;
          /** Seconds of talk per answered call. */
          average_duration: number;
          /** Credits, of all attempts. */
          total_cost: number;
          sub_statuses: Array<{
            sub_status: string;
            /** Calls that have ended: completed, failed, error or cancelled. */
            total_calls: number;
            /** Calls whose last attempt was answered. */
            answered_calls: number;
            completed_calls: number;
            /** 0 to 1; 0 where there is nothing to share. */
            answer_rate: number;
            /** Every dialled attempt, retries included. */
            total_attempts: number;
            /** Seconds of talk in the last attempts. */
            total_duration: number;
            /** Seconds of talk per answered call. */
            average_duration: number;
            /** Credits, of all attempts. */
            total_cost: number;
          }>;
        }>;
        agents: Array<{
          agent_id: string;
          agent_name: string | null;
          /** Calls that have ended: completed, failed, error or cancelled. */
          total_calls: number;
          /** Calls whose last attempt was answered. */
          answered_calls: number;
          completed_calls: number;
          /** 0 to 1; 0 where there is nothing to share. */
          answer_rate: number;
          /** Every dialled attempt, retries included. */
          total_attempts: number;
          /** Seconds of talk in the last attempts. */
          total_duration: number;
          /** Seconds of talk per answered call. */
          average_duration: number;
          /** Credits, of all attempts. */
          total_cost: number;
          versions: Array<{
            version_id: string;
            version_slug: string | null;
            /** Calls that have ended: completed, failed, error or cancelled. */
            total_calls: number;
            /** Calls whose last attempt was answered. */
            answered_calls: number;
            completed_calls: number;
            /** 0 to 1; 0 where there is nothing to share. */
            answer_rate: number;
            /** Every dialled attempt, retries included. */
            total_attempts: number;
            /** Seconds of talk in the last attempts. */
            total_duration: number;
            /** Seconds of talk per answered call. */
            average_duration: number;
            /** Credits, of all attempts. */
            total_cost: number;
          }>;
        }>;
        /** The 1000 campaigns with the most ended calls. */
        campaigns: Array<{
          bulk_list_id: string;
          /** Calls that have ended: completed, failed, error or cancelled. */
          total_calls: number;
          /** Calls whose last attempt was answered. */
          answered_calls: number;
          completed_calls: number;
          /** 0 to 1; 0 where there is nothing to share. */
          answer_rate: number;
          /** Every dialled attempt, retries included. */
          total_attempts: number;
          /** Seconds of talk in the last attempts. */
          total_duration: number;
          /** Seconds of talk per answered call. */
          average_duration: number;
          /** Credits, of all attempts. */
          total_cost: number;
        }>;
      };
    };
  };
  /** Ended calls by number */
  getNumberAnalytics: {
    input: {
      /** A date, UTC, counted in; of an ISO 8601 time with offset its day counts. */
      start_date?: string;
      /** A date, UTC, counted in; of an ISO 8601 time with offset its day counts. */
      end_date?: string;
      agent_id?: string;
      bulk_list_id?: string;
    };
    answer: {
      status: string;
      data: {
        start_date: string | null;
        end_date: string | null;
        numbers: Array<{
          number_id: string | null;
          number: string | null;
          display_name: string | null;
          /** Calls that have ended: completed, failed, error or cancelled. */
          total_calls: number;
          /** Calls whose last attempt was answered. */
          answered_calls: number;
          completed_calls: number;
          /** 0 to 1; 0 where there is nothing to share. */
          answer_rate: number;
          /** Every dialled attempt, retries included. */
          total_attempts: number;
          /** Seconds of talk in the last attempts. */
          total_duration: number;
          /** Seconds of talk per answered call. */
          average_duration: number;
          /** Credits, of all attempts. */
          total_cost: number;
        }>;
      };
    };
  };
  /** Answered calls by length */
  getDurationDistribution: {
    input: {
      /** A date, UTC, counted in; of an ISO 8601 time with offset its day counts. */
      start_date?: string;
      /** A date, UTC, counted in; of an ISO 8601 time with offset its day counts. */
      end_date?: string;
      agent_id?: string;
      bulk_list_id?: string;
    };
    answer: {
      status: string;
      data: {
        start_date: string | null;
        end_date: string | null;
        answered_calls: number;
        /** Seconds. */
        total_duration: number;
        /** Seconds. */
        average_duration: number;
        buckets: Array<{
          /** Counted in. */
          from_seconds: number;
          to_seconds: number | null;
          calls: number;
          /** 0 to 1; 0 where there is nothing to share. */
          share: number;
        }>;
      };
    };
  };
  /** Analysed calls by classification and sentiment */
  getClassificationAnalytics: {
    input: {
      /** A date, UTC, counted in; of an ISO 8601 time with offset its day counts. */
      start_date?: string;
      /** A date, UTC, counted in; of an ISO 8601 time with offset its day counts. */
      end_date?: string;
      agent_id?: string;
      bulk_list_id?: string;
    };
    answer: {
      status: string;
      data: {
        start_date: string | null;
        end_date: string | null;
        total_calls: number;
        /** Ended calls that have a platform analysis. */
        analysed_calls: number;
        classifications: Array<{
          label: string;
          calls: number;
          /** 0 to 1; 0 where there is nothing to share. */
          share: number;
        }>;
        sentiments: Array<{
          label: string;
          calls: number;
          /** 0 to 1; 0 where there is nothing to share. */
          share: number;
        }>;
      };
    };
  };
  /** The secret that signs deliveries */
  getSigningSecret: {
    input: object;
    answer: {
      /** Signs every delivery, as Standard Webhooks has it. */
      secret: string;
      created_at: string;
      /** Secrets before it that sign beside it until then. */
      retiring: Array<{
        created_at: string;
        retires_at: string;
      }>;
    };
  };
  /** Replace the secret that signs deliveries. While they overlap, deliveries carry a signature by each: receivers may be changed one after the other. */
  rotateSigningSecret: {
    input: {
      /** How long the secret before signs too; 0: no longer from now on. */
      overlap_hours?: number;
    };
    answer: {
      /** Signs every delivery, as Standard Webhooks has it. */
      secret: string;
      created_at: string;
      /** Secrets before it that sign beside it until then. */
      retiring: Array<{
        created_at: string;
        retires_at: string;
      }>;
    };
  };
  /** The delivery log, newest first */
  listDeliveries: {
    input: {
      call_id?: string;
      event_type?: string;
      state?: "pending" | "delivered" | "failed";
      /** A date or an ISO 8601 time: deliveries made from then on. */
      since?: string;
      /** Default 50, at most 200. */
      limit?: number;
      offset?: number;
    };
    answer: {
      deliveries: Array<{
        delivery_id: string;
        /** The header webhook-id. */
        event_id: string;
        event_type: string;
        call_id: string;
        callback_url: string;
        method_type: string;
        /** pending: to be tried, or tried again; failed: after the last attempt. */
        state: "pending" | "delivered" | "failed";
        attempt_count: number;
        last_status: number | null;
        last_error: string | null;
        next_attempt_at: string | null;
        resend_count: number;
        is_test: boolean;
        created_at: string;
        finished_at: string | null;
      }>;
      limit: number;
      offset: number;
      count: number;
      has_more: boolean;
    };
  };
  /** One delivery: request, answers and timing */
  getDelivery: {
    input: {
      delivery_id: string;
    };
    answer: {
      delivery: {
        delivery_id: string;
        /** The header webhook-id. */
        event_id: string;
        event_type: string;
        call_id: string;
        callback_url: string;
        method_type: string;
        /** pending: to be tried, or tried again; failed: after the last attempt. */
        state: "pending" | "delivered" | "failed";
        attempt_count: number;
        last_status: number | null;
        last_error: string | null;
        next_attempt_at: string | null;
        resend_count: number;
        is_test: boolean;
        created_at: string;
        finished_at: string | null;
        /** What was sent. The signature differs with each attempt and is not kept. */
        request: {
          method: string;
          url: string;
          /** The receiver's own; secrets are masked. */
          headers: Record<string, string>;
          body: Record<string, unknown>;
        };
        /** The last 20. */
        attempts: Array<{
          attempt: number;
          at: string;
          duration_ms: number;
          status: number | null;
          body: string | null;
          error: string | null;
          detail: string | null;
        }>;
      };
    };
  };
  /** Send an ended delivery again. With four attempts as at first. 409 while it is still being tried, and where the call was erased and with it the address of its own receiver. */
  resendDelivery: {
    input: {
      delivery_id: string;
    };
    answer: {
      message: string;
      delivery: {
        delivery_id: string;
        /** The header webhook-id. */
        event_id: string;
        event_type: string;
        call_id: string;
        callback_url: string;
        method_type: string;
        /** pending: to be tried, or tried again; failed: after the last attempt. */
        state: "pending" | "delivered" | "failed";
        attempt_count: number;
        last_status: number | null;
        last_error: string | null;
        next_attempt_at: string | null;
        resend_count: number;
        is_test: boolean;
        created_at: string;
        finished_at: string | null;
      };
    };
  };
  /** Send everything again that failed since a time */
  recoverDeliveries: {
    input: {
      /** A date or an ISO 8601 time. */
      since: string;
      callback_url?: string;
    };
    answer: {
      message: string;
      recovered_count: number;
    };
  };
  /** Send a sample event to a receiver. It goes the way of real events: signed, tried four times, in the delivery log. Its body says test: true. */
  sendTestEvent: {
    input: {
      event_type: "call_started" | "call_ringing" | "call_ongoing" | "call_completed" | "recording_completed" | "platform_analysis_completed" | "client_analysis_completed" | "all_processing_completed" | "campaign_completed";
      agent_id?: string;
      campaign_id?: string;
      callback_url?: string;
      method_type?: "POST" | "PUT" | "PATCH";
      headers?: Record<string, string>;
    };
    answer: {
      message: string;
      delivery: {
        delivery_id: string;
        /** The header webhook-id. */
        event_id: string;
        event_type: string;
        call_id: string;
        callback_url: string;
        method_type: string;
        /** pending: to be tried, or tried again; failed: after the last attempt. */
        state: "pending" | "delivered" | "failed";
        attempt_count: number;
        last_status: number | null;
        last_error: string | null;
        next_attempt_at: string | null;
        resend_count: number;
        is_test: boolean;
        created_at: string;
        finished_at: string | null;
      };
    };
  };
  /** Create a knowledge base from files, URLs and FAQs. FAQs can be found at once; files and URLs are read in the background. Without files the same fields may come as application/json. */
  createKnowledgeBase: {
    input: { form: FormData };
    answer: {
      message: string;
      kb_id: string;
      /** pending while files or URLs wait to be read; failed when none could be. */
      processing_status: "pending" | "completed" | "failed";
      files_queued: number;
      urls_queued: number;
      faqs_added: number;
    };
  };
  /** Add and remove files, URLs and FAQs, or rename. Calls that run look up what it holds then; only an agent without a language model keeps what its call began with. Without files the body may be application/json. */
  changeKnowledgeBase: {
    input: { form: FormData };
    answer: {
      message: string;
      kb_id: string;
      /** pending while files or URLs wait to be read; failed when none could be. */
      processing_status: "pending" | "completed" | "failed";
      files_queued: number;
      urls_queued: number;
      faqs_added: number;
    };
  };
  /** List knowledge bases, newest first */
  listKnowledgeBases: {
    input: object;
    answer: Array<{
      kb_id: string;
      kb_name: string;
      /** pending while files or URLs wait to be read; failed when none could be. */
      processing_status: "pending" | "completed" | "failed";
      embedding_status: "pending" | "completed" | "failed" | null;
      files_count: number;
      urls_count: number;
      faqs_count: number;
      created_at: string;
      updated_at: string;
    }>;
  };
  /** One knowledge base with its sources and how far they are read */
  getKnowledgeBase: {
    input: {
      kb_id: string;
    };
    answer: {
      kb_id: string;
      kb_name: string;
      /** pending while files or URLs wait to be read; failed when none could be. */
      processing_status: "pending" | "completed" | "failed";
      embedding_status: "pending" | "completed" | "failed" | null;
      files_count: number;
      urls_count: number;
      faqs_count: number;
      created_at: string;
      updated_at: string;
      files: Array<{
        id: string;
        /** pending while files or URLs wait to be read; failed when none could be. */
        status: "pending" | "completed" | "failed";
        error: string | null;
        chunks: number;
        embedding_status: "pending" | "completed" | "failed" | null;
        embedding_error: string | null;
        name: string;
        format: string | null;
        size_bytes: number | null;
      }>;
      urls: Array<{
        id: string;
        /** pending while files or URLs wait to be read; failed when none could be. */
        status: "pending" | "completed" | "failed";
        error: string | null;
        chunks: number;
        embedding_status: "pending" | "completed" | "failed" | null;
        embedding_error: string | null;
        url: string;
      }>;
      faqs: Array<{
        id: string;
        question: string;
        answer: string;
        embedding_status: "pending" | "completed" | "failed" | null;
        embedding_error: string | null;
      }>;
      /** Agents of which a version uses it. */
      agents: Array<{
        agent_id: string;
        agent_display_name: string;
      }>;
    };
  };
  /** Delete a knowledge base that no agent uses */
  deleteKnowledgeBase: {
    input: {
      kb_id: string;
    };
    answer: {
      message: string;
      kb_id: string;
    };
  };
  /** What an agent would find for a question */
  queryKnowledgeBase: {
    input: {
      kb_id: string;
    } & {
      query: string;
      /** Default 5. */
      top_k?: number;
    };
    answer: {
      kb_id: string;
      query: string;
      /** Best first. */
      chunks: Array<{
        text: string;
        question: string | null;
        heading: string | null;
        /** 0 to 1; 1: the same question. To compare chunks of one answer, not of two. */
        score: number;
        /** The question itself, its words, what it means. */
        found_by: Array<"question" | "words" | "meaning">;
        source: {
          id: string;
          type: "file" | "url" | "faq";
          name: string;
        };
        /** Place of the chunk in its source. */
        position: number;
      }>;
    };
  };
  /** Upload a contact list and answer when it is read. One invalid row refuses the whole list with 422 and the same report of rows, unless remove_invalid_rows is true. Nothing is dialled before the campaign is started. */
  saveCampaign: {
    input: {
      /** As the form field of this name, which goes before it. */
      remove_invalid_rows?: boolean;
    } & { form: FormData };
    answer: {
      message: string;
      list_id: string;
      bulk_list_id: string;
      /** Rows that are not blank. */
      total_rows: number;
      successful_rows: number;
      failed_rows: number;
      /** The first hundred problems. */
      invalid_rows: Array<{
        /** Counted from 1 without the header; blank lines count. */
        row: number;
        column: string;
        /** At most its first 200 characters. */
        value: string;
        reason: string;
        /** What may have been meant. */
        suggestion?: string;
      }>;
      invalidated_rows_csv_url: string | null;
      encoding: string | null;
      delimiter: string | null;
    };
  };
  /** Upload a large contact list that is read in the background. Answers as soon as the file is in. Ask upload-status how far it has come. */
  uploadCampaign: {
    input: {
      /** As the form field of this name, which goes before it. */
      remove_invalid_rows?: boolean;
    } & { form: FormData };
    answer: {
      bulk_list_id: string;
      list_id: string;
      status: "uploaded" | "verifying" | "completed" | "failed";
      campaign_name: string;
      total_callees: number;
      invalidated_rows_count: number;
      invalidated_rows_csv_url: string | null;
    };
  };
  /** How far a contact list has been read, and which rows are invalid */
  getUploadStatus: {
    input: {
      bulk_list_id: string;
    };
    answer: {
      bulk_list_id: string;
      list_id: string;
      status: "uploaded" | "verifying" | "completed" | "failed";
      campaign_name: string;
      total_callees: number;
      invalidated_rows_count: number;
      invalidated_rows_csv_url: string | null;
      /** Why it failed. */
      message?: string;
      progress: number;
      processed_rows: number;
      /** Rows that are not blank. */
      total_rows: number;
      successful_rows: number;
      failed_rows: number;
      /** The first hundred problems. */
      invalid_rows: Array<{
        /** Counted from 1 without the header; blank lines count. */
        row: number;
        column: string;
        /** At most its first 200 characters. */
        value: string;
        reason: string;
        /** What may have been meant. */
        suggestion?: string;
      }>;
      encoding: string | null;
      delimiter: string | null;
    };
  };
}

/** Where each operation lives. `form`: takes multipart; `idempotent`: takes an Idempotency-Key. */
export const OPERATIONS = {
  createAgent: {
    method: 'POST',
    path: '/api/v0/public/agent',
    query: [],
    hasBody: true,
    isForm: false,
    isJson: true,
    isIdempotent: true,
  },
  listAgents: {
    method: 'GET',
    path: '/api/v0/agent/all',
    query: ['limit', 'offset'],
    hasBody: false,
    isForm: false,
    isJson: true,
    isIdempotent: false,
  },
  getAgent: {
    method: 'GET',
    path: '/api/v0/agent/{agent_id}',
    query: ['type'],
    hasBody: false,
    isForm: false,
    isJson: true,
    isIdempotent: false,
  },
  deleteAgent: {
    method: 'DELETE',
    path: '/api/v0/agent/{agent_id}',
    query: [],
    hasBody: false,
    isForm: false,
    isJson: true,
    isIdempotent: false,
  },
  editAgent: {
    method: 'PATCH',
    path: '/api/v0/agent/v1',
    query: [],
    hasBody: true,
    isForm: false,
    isJson: true,
    isIdempotent: false,
  },
  updateAgent: {
    method: 'PATCH',
    path: '/api/v0/public/agent/{agent_id}',
    query: [],
    hasBody: true,
    isForm: false,
    isJson: true,
    isIdempotent: false,
  },
  listVoices: {
    method: 'GET',
    path: '/api/v0/agent/voices',
    query: ['language'],
    hasBody: false,
    isForm: false,
    isJson: true,
    isIdempotent: false,
  },
  placeCall: {
    method: 'POST',
    path: '/api/v0/calling/outbound/individual',
    query: [],
    hasBody: true,
    isForm: false,
    isJson: true,
    isIdempotent: true,
  },
  placeCallV2: {
    method: 'POST',
    path: '/api/v0/calling/v2/outbound/individual',
    query: [],
    hasBody: true,
    isForm: false,
    isJson: true,
    isIdempotent: true,
  },
  hangUpCall: {
    method: 'POST',
    path: '/api/v0/calling/{call_id}/hangup',
    query: [],
    hasBody: false,
    isForm: false,
    isJson: true,
    isIdempotent: false,
  },
  listCalls: {
    method: 'GET',
    path: '/api/v0/calling/history',
    query: ['limit', 'offset', 'bulk_list_id', 'agent_id', 'status', 'call_type', 'from_number', 'to_number', 'start_date', 'end_date'],
    hasBody: false,
    isForm: false,
    isJson: true,
    isIdempotent: false,
  },
  getCall: {
    method: 'GET',
    path: '/api/v0/calling/call-details',
    query: ['id', 'send_analysis'],
    hasBody: false,
    isForm: false,
    isJson: true,
    isIdempotent: false,
  },
  watchCall: {
    method: 'GET',
    path: '/api/v0/calling/{call_id}/live',
    query: [],
    hasBody: false,
    isForm: false,
    isJson: false,
    isIdempotent: false,
  },
  listNumberPools: {
    method: 'GET',
    path: '/api/v0/number-pool',
    query: [],
    hasBody: false,
    isForm: false,
    isJson: true,
    isIdempotent: false,
  },
  createNumberPool: {
    method: 'POST',
    path: '/api/v0/number-pool',
    query: [],
    hasBody: true,
    isForm: false,
    isJson: true,
    isIdempotent: true,
  },
  getNumberPool: {
    method: 'GET',
    path: '/api/v0/number-pool/{number_pool_id}',
    query: [],
    hasBody: false,
    isForm: false,
    isJson: true,
    isIdempotent: false,
  },
  renameNumberPool: {
    method: 'PATCH',
    path: '/api/v0/number-pool/{number_pool_id}',
    query: [],
    hasBody: true,
    isForm: false,
    isJson: true,
    isIdempotent: false,
  },
  deleteNumberPool: {
    method: 'DELETE',
    path: '/api/v0/number-pool/{number_pool_id}',
    query: [],
    hasBody: false,
    isForm: false,
    isJson: true,
    isIdempotent: false,
  },
  addNumberPoolMembers: {
    method: 'POST',
    path: '/api/v0/number-pool/{number_pool_id}/members',
    query: [],
    hasBody: true,
    isForm: false,
    isJson: true,
    isIdempotent: false,
  },
  removeNumberPoolMembers: {
    method: 'DELETE',
    path: '/api/v0/number-pool/{number_pool_id}/members',
    query: [],
    hasBody: true,
    isForm: false,
    isJson: true,
    isIdempotent: false,
  },
  startCampaign: {
    method: 'POST',
    path: '/api/v0/campaign/start',
    query: [],
    hasBody: true,
    isForm: false,
    isJson: true,
    isIdempotent: true,
  },
  startCampaignV2: {
    method: 'POST',
    path: '/api/v0/campaign/v2/start',
    query: [],
    hasBody: true,
    isForm: false,
    isJson: true,
    isIdempotent: true,
  },
  checkCampaignBalance: {
    method: 'POST',
    path: '/api/v0/campaign/check-balance/{bulk_list_id}',
    query: [],
    hasBody: false,
    isForm: false,
    isJson: true,
    isIdempotent: false,
  },
  makeCampaignCalls: {
    method: 'POST',
    path: '/api/v0/campaign/make-call-async',
    query: [],
    hasBody: true,
    isForm: false,
    isJson: true,
    isIdempotent: true,
  },
  listCampaigns: {
    method: 'GET',
    path: '/api/v0/campaign/all',
    query: ['call_count', 'limit', 'offset'],
    hasBody: false,
    isForm: false,
    isJson: true,
    isIdempotent: false,
  },
  getCampaign: {
    method: 'GET',
    path: '/api/v0/campaign/{campaign_id}',
    query: [],
    hasBody: false,
    isForm: false,
    isJson: true,
    isIdempotent: false,
  },
  reportCampaign: {
    method: 'GET',
    path: '/api/v0/campaign/{campaign_id}/report',
    query: [],
    hasBody: false,
    isForm: false,
    isJson: false,
    isIdempotent: false,
  },
  pauseCampaign: {
    method: 'PATCH',
    path: '/api/v0/campaign/pause',
    query: [],
    hasBody: true,
    isForm: false,
    isJson: true,
    isIdempotent: false,
  },
  resumeCampaign: {
    method: 'PATCH',
    path: '/api/v0/campaign/resume',
    query: [],
    hasBody: true,
    isForm: false,
    isJson: true,
    isIdempotent: false,
  },
  terminateCalls: {
    method: 'PATCH',
    path: '/api/v0/campaign/terminate',
    query: [],
    hasBody: true,
    isForm: false,
    isJson: true,
    isIdempotent: false,
  },
  listDoNotCall: {
    method: 'GET',
    path: '/api/v0/dnc',
    query: ['campaign_id', 'mobile_number', 'limit', 'offset'],
    hasBody: false,
    isForm: false,
    isJson: true,
    isIdempotent: false,
  },
  addDoNotCall: {
    method: 'POST',
    path: '/api/v0/dnc',
    query: [],
    hasBody: true,
    isForm: false,
    isJson: true,
    isIdempotent: true,
  },
  removeDoNotCall: {
    method: 'DELETE',
    path: '/api/v0/dnc',
    query: [],
    hasBody: true,
    isForm: false,
    isJson: true,
    isIdempotent: false,
  },
  exportCalls: {
    method: 'POST',
    path: '/api/v0/calling/history/download',
    query: [],
    hasBody: true,
    isForm: false,
    isJson: false,
    isIdempotent: false,
  },
  getRecordingPeaks: {
    method: 'GET',
    path: '/api/v0/calling/{call_id}/recording/peaks',
    query: ['attempt'],
    hasBody: false,
    isForm: false,
    isJson: true,
    isIdempotent: false,
  },
  eraseCall: {
    method: 'DELETE',
    path: '/api/v0/calling/{call_id}/data',
    query: [],
    hasBody: false,
    isForm: false,
    isJson: true,
    isIdempotent: false,
  },
  eraseNumbers: {
    method: 'POST',
    path: '/api/v0/calling/erase',
    query: [],
    hasBody: true,
    isForm: false,
    isJson: true,
    isIdempotent: true,
  },
  getErasure: {
    method: 'GET',
    path: '/api/v0/calling/erase/{erasure_id}',
    query: [],
    hasBody: false,
    isForm: false,
    isJson: true,
    isIdempotent: false,
  },
  getRetention: {
    method: 'GET',
    path: '/api/v0/workspace/retention',
    query: [],
    hasBody: false,
    isForm: false,
    isJson: true,
    isIdempotent: false,
  },
  setRetention: {
    method: 'PATCH',
    path: '/api/v0/workspace/retention',
    query: [],
    hasBody: true,
    isForm: false,
    isJson: true,
    isIdempotent: false,
  },
  listAuditLog: {
    method: 'GET',
    path: '/api/v0/workspace/audit-log',
    query: ['limit', 'before', 'start_date', 'end_date', 'action', 'actor', 'request_id', 'object_id'],
    hasBody: false,
    isForm: false,
    isJson: true,
    isIdempotent: false,
  },
  listSubWorkspaces: {
    method: 'GET',
    path: '/api/v0/workspace/sub',
    query: [],
    hasBody: false,
    isForm: false,
    isJson: true,
    isIdempotent: false,
  },
  createSubWorkspace: {
    method: 'POST',
    path: '/api/v0/workspace/sub',
    query: [],
    hasBody: true,
    isForm: false,
    isJson: true,
    isIdempotent: true,
  },
  setSubWorkspaceConcurrency: {
    method: 'PATCH',
    path: '/api/v0/workspace/sub/{workspace_id}/concurrency',
    query: [],
    hasBody: true,
    isForm: false,
    isJson: true,
    isIdempotent: false,
  },
  allocateCredits: {
    method: 'PATCH',
    path: '/api/v0/workspace/sub/credit-balances',
    query: [],
    hasBody: true,
    isForm: false,
    isJson: true,
    isIdempotent: false,
  },
  getWorkspace: {
    method: 'GET',
    path: '/api/v0/workspace',
    query: [],
    hasBody: false,
    isForm: false,
    isJson: true,
    isIdempotent: false,
  },
  listWorkspaces: {
    method: 'GET',
    path: '/api/v0/workspace/all',
    query: [],
    hasBody: false,
    isForm: false,
    isJson: true,
    isIdempotent: false,
  },
  listNumbers: {
    method: 'GET',
    path: '/api/v0/workspace/numbers',
    query: [],
    hasBody: false,
    isForm: false,
    isJson: true,
    isIdempotent: false,
  },
  rotateKey: {
    method: 'PATCH',
    path: '/api/v0/workspace/api-key',
    query: [],
    hasBody: false,
    isForm: false,
    isJson: false,
    isIdempotent: false,
  },
  getPlatformAnalytics: {
    method: 'GET',
    path: '/api/v0/analytics/platform-analytics',
    query: ['start_date', 'end_date', 'agent_id', 'bulk_list_id'],
    hasBody: false,
    isForm: false,
    isJson: true,
    isIdempotent: false,
  },
  getDrillDownAnalytics: {
    method: 'GET',
    path: '/api/v0/analytics/drill-down-analytics',
    query: ['start_date', 'end_date', 'agent_id', 'bulk_list_id'],
    hasBody: false,
    isForm: false,
    isJson: true,
    isIdempotent: false,
  },
  getNumberAnalytics: {
    method: 'GET',
    path: '/api/v0/analytics/number-analytics',
    query: ['start_date', 'end_date', 'agent_id', 'bulk_list_id'],
    hasBody: false,
    isForm: false,
    isJson: true,
    isIdempotent: false,
  },
  getDurationDistribution: {
    method: 'GET',
    path: '/api/v0/analytics/duration-distribution',
    query: ['start_date', 'end_date', 'agent_id', 'bulk_list_id'],
    hasBody: false,
    isForm: false,
    isJson: true,
    isIdempotent: false,
  },
  getClassificationAnalytics: {
    method: 'GET',
    path: '/api/v0/analytics/classification-analytics',
    query: ['start_date', 'end_date', 'agent_id', 'bulk_list_id'],
    hasBody: false,
    isForm: false,
    isJson: true,
    isIdempotent: false,
  },
  getSigningSecret: {
    method: 'GET',
    path: '/api/v0/webhooks/signing-secret',
    query: [],
    hasBody: false,
    isForm: false,
    isJson: true,
    isIdempotent: false,
  },
  rotateSigningSecret: {
    method: 'POST',
    path: '/api/v0/webhooks/signing-secret/rotate',
    query: [],
    hasBody: true,
    isForm: false,
    isJson: true,
    isIdempotent: false,
  },
  listDeliveries: {
    method: 'GET',
    path: '/api/v0/webhooks/deliveries',
    query: ['call_id', 'event_type', 'state', 'since', 'limit', 'offset'],
    hasBody: false,
    isForm: false,
    isJson: true,
    isIdempotent: false,
  },
  getDelivery: {
    method: 'GET',
    path: '/api/v0/webhooks/deliveries/{delivery_id}',
    query: [],
    hasBody: false,
    isForm: false,
    isJson: true,
    isIdempotent: false,
  },
  resendDelivery: {
    method: 'POST',
    path: '/api/v0/webhooks/deliveries/{delivery_id}/resend',
    query: [],
    hasBody: false,
    isForm: false,
    isJson: true,
    isIdempotent: false,
  },
  recoverDeliveries: {
    method: 'POST',
    path: '/api/v0/webhooks/recover',
    query: [],
    hasBody: true,
    isForm: false,
    isJson: true,
    isIdempotent: false,
  },
  sendTestEvent: {
    method: 'POST',
    path: '/api/v0/webhooks/test',
    query: [],
    hasBody: true,
    isForm: false,
    isJson: true,
    isIdempotent: true,
  },
  createKnowledgeBase: {
    method: 'POST',
    path: '/api/v0/external/kb',
    query: [],
    hasBody: false,
    isForm: true,
    isJson: true,
    isIdempotent: true,
  },
  changeKnowledgeBase: {
    method: 'PATCH',
    path: '/api/v0/external/kb',
    query: [],
    hasBody: false,
    isForm: true,
    isJson: true,
    isIdempotent: false,
  },
  listKnowledgeBases: {
    method: 'GET',
    path: '/api/v0/external/kb/all',
    query: [],
    hasBody: false,
    isForm: false,
    isJson: true,
    isIdempotent: false,
  },
  getKnowledgeBase: {
    method: 'GET',
    path: '/api/v0/external/kb/{kb_id}',
    query: [],
    hasBody: false,
    isForm: false,
    isJson: true,
    isIdempotent: false,
  },
  deleteKnowledgeBase: {
    method: 'DELETE',
    path: '/api/v0/external/kb/{kb_id}',
    query: [],
    hasBody: false,
    isForm: false,
    isJson: true,
    isIdempotent: false,
  },
  queryKnowledgeBase: {
    method: 'POST',
    path: '/api/v0/external/kb/{kb_id}/query',
    query: [],
    hasBody: true,
    isForm: false,
    isJson: true,
    isIdempotent: false,
  },
  saveCampaign: {
    method: 'POST',
    path: '/api/v0/campaign/save',
    query: ['remove_invalid_rows'],
    hasBody: false,
    isForm: true,
    isJson: true,
    isIdempotent: true,
  },
  uploadCampaign: {
    method: 'POST',
    path: '/api/v0/campaign/upload-csv',
    query: ['remove_invalid_rows'],
    hasBody: false,
    isForm: true,
    isJson: true,
    isIdempotent: true,
  },
  getUploadStatus: {
    method: 'GET',
    path: '/api/v0/campaign/upload-status/{bulk_list_id}',
    query: [],
    hasBody: false,
    isForm: false,
    isJson: true,
    isIdempotent: false,
  },
} as const;
