/**
 * Each line of the behaviour checklist (docs/reference/upstream/upstream-behaviours.md), under its first name, and the
 * tests of ours that show it: `<file>: <name>`, files from test/e2e unless a folder says otherwise. `missing` says what
 * of the line has no test here, `because` why a line has none at all.
 */

/** A test, several, or those that show a part of the line, or why there is none. */
export type Answer =
  | string
  | readonly string[]
  | { readonly tests: readonly string[]; readonly missing: string }
  | { readonly because: string };

export const checklist: Readonly<Record<string, Answer>> = {
  // 6.1 e2e_samples.rs (36)
  sample_hello_world_fs: "basics: calls one activity after the other",
  sample_basic_control_flow_fs: "basics: catches an activity's failure and compensates",
  sample_loop_fs: "basics: loops over activities",
  sample_error_handling_fs: "basics: catches an activity's failure and compensates",
  sample_basic_error_handling_fs: [
    "basics: fails with what its handler does not catch, also from a helper function",
    "basics: catches an activity's failure and compensates",
  ],
  sample_timeout_with_timer_race_fs: "race: cancels the losers: an activity is told to stop",
  sample_select2_activity_vs_external_fs: "race: whose loser completes later replays",
  dtf_legacy_gabbar_greetings_fs: "fan-out: schedules everything in one turn and joins in argument order",
  sample_system_activities_fs: "determinism: give recorded ids and times",
  sample_status_polling_fs: "client: goes from NotFound over Running to Completed",
  sample_sub_orchestration_basic_fs: [
    "sub-orchestrations: gives its parent its result",
    "fan-out: of hundreds of children is joined",
    "fan-out: of more children than a commit has room for is joined",
    "sub-orchestrations: may have children itself, whose ids nest",
  ],
  sample_sub_orchestration_continue_as_new_fs:
    "sub-orchestrations: may continue as new: its parent gets the final result",
  sample_detached_orchestration_scheduling_fs: "sub-orchestrations: runs by itself under its own id",
  sample_detached_then_activity_fs: "sub-orchestrations: keeps later calls in their places on replay",
  sample_continue_as_new_fs:
    "continue-as-new: rolls the input forward; each execution has a history of its own",
  sample_typed_activity_and_orchestration_fs: [
    "payloads: of an orchestration transforms what the handler gets",
    "events: wakes the wait for it",
    "basics: may name activities that live elsewhere by plain strings",
  ],
  sample_versioning_start_latest_vs_exact_fs: "versions: follows the policy of the runtime",
  sample_versioning_sub_orchestration_explicit_vs_policy_fs:
    "versions: of a child or a detached orchestration follows the same rules",
  sample_versioning_continue_as_new_upgrade_fs:
    "continue-as-new: moves to the newest version, unless one is named",
  sample_cancellation_parent_cascades_to_children_fs: "cancellation: cancels all its children, down the line",
  sample_self_pruning_eternal_orchestration: {
    because: "An activity has no client of its own: it closes over one, as over any other service.",
  },
  sample_config_hot_reload_persistent_events_fs: [
    "queues: keeps what comes before the first dequeue",
    "queues: loses nothing of what arrives at the switch",
  ],
  sample_heterogeneous_workers_with_tags:
    "sessions-and-tags: lets an orchestrator and a worker of another kind share one store",
  sample_starvation_safe_tagged_activity: "sessions-and-tags: that no runtime serves loses to a timer",
  sample_dual_runtime_tag_cooperation:
    "sessions-and-tags: lets an orchestrator and a worker of another kind share one store",
  sample_kv_request_response: "kv: are waited for by a client",
  sample_kv_cross_orchestration_read: "kv: is read as of the read, and stays so on replay",
  sample_kv_read_modify_write_counter: "kv: count right across executions, too",
  sample_orchestration_stats: "client: reads the size of an instance, and nothing of an unknown one",
  // 6.2 scenarios (38)
  copilot_chat_scenario: [
    "queues: loses nothing of what arrives at the switch",
    "custom-status: is iterated by a client until the end",
    "kv: count right across executions, too",
    "custom-status: survives turns, failures and continue-as-new",
  ],
  e2e_eternal_orch_v1_to_v2_event_upgrade: {
    tests: ["continue-as-new: moves to the newest version, unless one is named"],
    missing: "new event types cannot be added without a new wire format",
  },
  e2e_upgrade_with_preexisting_v1_history: [
    "core/replay/race-policy: a wait loses against a timer, and a signal comes in the same batch",
    "core/histories/recorded-histories: every recorded history is in the table, and what is not reproduced says why",
  ],
  v2_events_deserialize_with_feature_flag: "poison: ends the instance with an event far from all others",
  e2e_rolling_deployment_three_nodes:
    "mixed-clusters: hands an activity on until the node that has it takes it",
  e2e_rolling_deployment_version_upgrade:
    "mixed-clusters: a message waits for the second to begin; a client's start cannot take its place",
  durable_copilot_sdk_scaled_out_multi_conversation: [
    "sessions-and-tags: stays with its worker while that one lives, and moves when its lease ends",
    "conversations: stays on one of two nodes with different limits",
  ],
  single_thread_basic_orchestration: [
    "basics: calls one activity after the other",
    "timers: fires when its time has come, not before",
    "continue-as-new: rolls the input forward; each execution has a history of its own",
  ],
  single_thread_concurrent_orchestrations: [
    "mixed-clusters: works with one slot for turns and one for activities",
    "mixed-clusters: of two nodes shares instances without disturbing them",
  ],
  single_thread_1x1_cooperative_activity_cancellation:
    "cancellation: learns of it at once in the process of the orchestration",
  single_thread_1x1_runaway_activity_aborted:
    "cancellation: loses its slot after the grace period if it does not listen",
  legacy_provider_bypass_terminal_collision_does_not_hang_parent:
    "sub-orchestrations: by a finished instance fails the call",
  in_flight_instance_keeps_pre_upgrade_child_id_on_replay:
    "core/replay/turn: takes a child's id from history, not from the code",
  explicit_child_id_reused_by_another_parent_fails_fast:
    "sub-orchestrations: by a finished instance fails the call",
  parent_with_suborch_survives_continue_as_new:
    "sub-orchestrations: of a later execution has the execution in its id",
  continue_as_new_suborch_child_ids_include_execution_after_first:
    "sub-orchestrations: of a later execution has the execution in its id",
  suborch_completion_routes_to_scheduling_execution_not_current:
    "sub-orchestrations: whose parent continues as new goes on, and its late result is dropped",
  legacy_provider_bypass_terminal_collision_fails_fast_on_execution_two:
    "core/runtime/batches: fails its parent's call; a finished instance says so",
  legacy_provider_bypass_terminal_collision_routes_via_fallback_on_fresh_runtime:
    "core/runtime/batches: of an unstamped parent goes to the newest execution that the store knows",
  explicit_sub_orchestration_id_allows_reserved_marker_infix:
    "sub-orchestrations: may be given an id, also one that contains the marker of automatic ids",
  continue_as_new_chain_5_iterations: [
    "actors: come to their ends; every execution has its history",
    "actors: do all their work in each of many executions",
  ],
  timer_fires_at_correct_time_regression: "timers: records when it is to fire, from the present",
  e2e_replay_completion_only_must_use_version_from_history:
    "versions: stays with its version when a newer one is deployed",
  e2e_replay_completion_only_after_can_must_use_version_from_history: [
    "versions: stays with its version when a newer one is deployed",
    "versions: keeps the input of its own start, also after continue-as-new and a restart",
  ],
  e2e_can_input_preserved_during_completion_only_replay:
    "versions: keeps the input of its own start, also after continue-as-new and a restart",
  unit_workitem_reader_completion_only_must_preserve_version: [
    "versions: stays with its version when a newer one is deployed",
    "core/runtime/batches: messages that waited too often poison the execution that never came, and tell the right parent",
  ],
  unit_input_comes_from_extract_context_not_workitem_reader:
    "versions: keeps the input of its own start, also after continue-as-new and a restart",
  // 6.3 cancellation_corner_cases.rs (49)
  q2_first_dequeue_wins_dropped_sibling_preserves_second_message:
    "lost-races: to its sibling leaves its message to the next reader, a timer beside them notwithstanding",
  q3_same_queue_select2_fifo:
    "lost-races: to its sibling leaves its message to the next reader, a timer beside them notwithstanding",
  q4_cross_queue_cancellations_are_independent:
    "lost-races: on one queue has nothing to do with another queue",
  q5_partial_join_resolved_child_drop_does_not_duplicate: "lost-races: as part of a join is not read twice",
  q6_nested_select_queue_and_two_timers: "lost-races: in a nested race keeps its message",
  q7_queue_activity_timer_cancellation: "lost-races: against an activity keeps its message",
  q9_unbound_drop_followed_by_message: "lost-races: before it is recorded at all reserves nothing",
  q10_explicit_bound_drop_followed_by_message: "lost-races: by being cancelled frees its place",
  q11_catch_up_batch_fifty_arrivals: "queues: with a catch-up batch behind it: nothing is lost or read twice",
  t1_timer_loser_does_not_consume_queue_arrival:
    "lost-races: to its sibling leaves its message to the next reader, a timer beside them notwithstanding",
  queue_q1_select3_two_losers_preserves_fifo_and_legacy_outcome: [
    "lost-races: to a timer, twice, keeps the queue in order",
    "core/replay/race-policy: a dequeue loses against a timer, and its message comes later",
  ],
  q14_invalid_or_missing_stamp_retains_legacy_policy:
    "core/replay/race-policy: a wait loses against a timer, and a signal comes in the same batch",
  ms8_gate_boundary_prerelease_build_and_invalid_are_replay_stable: [
    "core/replay/race-policy: a wait loses against a timer, and a signal comes in the same batch",
    "core/observe/versions: a stamp that is no version is a warning, and the turn runs",
  ],
  q14_missing_version_field_is_a_deserialization_error_not_legacy:
    "core/wire/acceptance: one field of a document",
  q14_missing_version_is_poisoned_by_sqlite_dispatcher:
    "poison: ends the instance with an event far from all others",
  ms10_legacy_hazard_remains_detectable_after_upgrade: {
    because: "histories of older runtimes that failed there fail here in their own words",
  },
  ms7_quiescence_drop_is_recorded_and_policy_pinned: [
    "queues: is drained in one turn, however many messages wait",
    "queues: that answers at once may win a race: the loser is given up in the same turn",
  ],
  q12_continue_as_new_retains_policy_and_fresh_execution_selects_its_own: [
    "core/replay/race-policy: a dequeue loses against a timer, and its message comes later",
    "core/replay/race-policy: a successor follows the runtime that begins it, whichever runtime began its predecessor",
  ],
  ms1_positional_barrier_delivers_fresh_signal_and_replays:
    "events: that comes with the timer that ends its wait goes to no wait",
  ms3_resolve_at_creation_discards_dropped_slots_old_value:
    "lost-races: whose value no code read passes it to no other wait",
  positional_s1_same_batch_preserves_bound_slot_signal_contract:
    "events: that comes with the timer that ends its wait goes to no wait",
  positional_s2_two_waits_timer_same_batch_preserves_policy:
    "lost-races: twice leaves the next signal to the third wait",
  positional_s3_signal_queue_timer_same_batch_preserves_policy:
    "lost-races: does not touch a queue of its name",
  s4_signal_before_subscription_is_dropped_consistently:
    "events: that comes before the wait is recorded and lost",
  s5_two_signal_arrivals_match_active_waits_consistently:
    "lost-races: to its sibling loses the second signal of the batch, too",
  ms14_unbound_replacement_drops_same_batch_signal_as_early:
    "events: that comes with the timer that ends its wait goes to no wait",
  positional_drop_before_continue_as_new_replays_for_both_policies:
    "lost-races: are not written by a turn that continues as new, which cancels no child either",
  ms4_sqlite_continue_as_new_preserves_unconsumed_queue_messages: [
    "queues: carries unread messages over, in arrival order across queues",
    "queues: carries a message that was handed to a dequeue which no code awaited",
  ],
  ms13_held_and_nonprefix_continue_as_new_carry_exact_unread_positions:
    "queues: carries a message that was handed to a dequeue which no code awaited",
  continue_as_new_exact_unread_positions_preserve_cross_name_arrival_order:
    "queues: carries unread messages over, in arrival order across queues",
  continue_as_new_writes_no_drop_cancellations_or_child_side_effects:
    "lost-races: are not written by a turn that continues as new, which cancels no child either",
  sqlite_unread_messages_carry_across_two_continue_as_new_for_both_policies:
    "mailbox: reads a backlog in its order over many executions",
  ms16_cancellation_blocks_are_deterministic_by_type_and_id: "lost-races: are ordered by kind, then by id",
  independent_cancellation_block_permutations_preserve_replay_and_next_turn_for_both_stamps: {
    because: "the order inside a block is never looked at: what was given up is kept as a set",
  },
  exhaustive_small_scope_queue_race_orders:
    "random-programs: an execution has the same result whether it is kept in memory, replayed or moved",
  legacy_fingerprint_retains_history_and_live_decision_changes: {
    because: "Tests of the original's test harness.",
  },
  sqlite_q1_two_dequeue_losers_restart: [
    "lost-races: to a timer, twice, keeps the queue in order",
    "lost-races: in a nested race keeps its message",
    "events: that comes with the timer that ends its wait goes to no wait",
  ],
  sqlite_legacy_safe_history_keeps_old_decisions: [
    "core/replay/race-policy: a wait loses against a timer, and a signal comes in the same batch",
    "core/replay/race-policy: a dequeue loses against a timer, and its message comes later",
  ],
  // 6.4 race_replay (10 provider-run runtime checks)
  test_duplicate_start_preserves_pinned_handler:
    "sub-orchestrations: by a running instance cannot change its handler, name or input",
  test_continue_as_new_unregistered_backoff:
    "mixed-clusters: a message waits for the second to begin; a client's start cannot take its place",
  test_continue_as_new_poisoned_successor_is_own_execution: [
    "poison: a continue-as-new to a missing version fails as an execution of its own",
    "core/runtime/batches: the start, once there, takes the carried messages first, and no other start takes its place",
  ],
  test_continue_as_new_transition_delivery: [
    "core/runtime/batches: %s are given back, longer each time, and that counts",
    "mixed-clusters: a message waits for the second to begin; a client's start cannot take its place",
  ],
  test_queue_race_cancellation_replay: [
    "lost-races: to its sibling leaves its message to the next reader, a timer beside them notwithstanding",
    "events: that comes with the timer that ends its wait goes to no wait",
    "queues: carries unread messages over, in arrival order across queues",
    "core/replay/race-policy: a dequeue loses against a timer, and its message comes later",
  ],
  // 6.5 replay_engine/* (206 pure engine tests, no store)
  schedule_activity_creates_activity_scheduled_event: [
    "basics: calls one activity after the other",
    "timers: of no time fires all the same",
    "events: goes to the waits of its name in order",
    "sub-orchestrations: gives its parent its result",
    "sub-orchestrations: keeps later calls in their places on replay",
  ],
  schedule_activity_on_session_creates_activity_scheduled_event_with_session_id: [
    "sessions-and-tags: is known to its activities; others run beside it",
    "sessions-and-tags: brings an activity to a worker that accepts it",
  ],
  schedule_activity_on_session_session_id_mismatch_causes_nondeterminism: [
    "nondeterminism: another session",
    "nondeterminism: a tag that was not there",
  ],
  detached_orchestration_then_activity_replays_correctly:
    "sub-orchestrations: keeps later calls in their places on replay",
  cancel_via_message: [
    "core/replay/turn: of a cancellation beat what the code does, and are recorded once",
    "cancellation: is idempotent: one request is recorded",
    "cancellation: beats a completion and a continue-as-new of the same turn",
  ],
  activity_completed_message: [
    "core/replay/turn: become events in their order, before anything new",
    "events: wakes the wait for it",
    "sub-orchestrations: gives its parent its result",
  ],
  duplicate_completion_filtered: [
    "core/replay/turn: that repeat one another count once, the first of them",
    "core/replay/turn: for another execution are dropped",
    "nondeterminism: is not a completion for another execution, nor one that comes twice",
  ],
  external_without_subscription: [
    "events: that comes before the wait is recorded and lost",
    "events: may come twice with the same content: that is two events",
  ],
  select2_activity_wins: [
    "race: between settled tasks is won by the first argument",
    "fan-out: schedules everything in one turn and joins in argument order",
    "fan-out: waits for every entry and rejects with the first error in argument order",
    "core/replay/turn: joins more than a thousand completed children",
  ],
  zero_delay_timer: [
    "timers: of no time fires all the same",
    "payloads: of a megabyte, of any script, or of nothing comes back as it was",
    "events: for a finished or unknown instance changes nothing, where it is to be kept",
  ],
  event_allocation: [
    "core/replay/turn: may have gaps in its ids: new ones continue after the highest",
    "basics: calls one activity after the other",
  ],
  failure_handling: [
    "basics: catches an activity's failure and compensates",
    "sub-orchestrations: that fails rejects with its message, name and data",
    "core/replay/turn: with a failure of the system never reach the code: %j",
  ],
  immediate_return_ok: [
    "basics: returns what its handler returns",
    "basics: fails when it throws before its first call",
    "core/replay/turn: while %s is awaited adds nothing",
    "continue-as-new: counts also where no code awaits it, and beats a finished function",
    "basics: is not held up by an activity that no code awaits, which is cancelled",
  ],
  empty_history: [
    "core/replay/turn: is empty",
    "core/replay/turn: does not begin with the start",
    "core/replay/turn: has a completion before its schedule",
    "core/replay/turn: schedules one call twice",
    "core/replay/turn: subscribes one wait twice",
  ],
  event_id_zero: [
    "core/replay/turn: may have gaps in its ids: new ones continue after the highest",
    "core/replay/turn: may have any text for names and payloads",
  ],
  multiple_completions_same_source_in_history: [
    "nondeterminism: is not a completion for another execution, nor one that comes twice",
    "core/replay/turn: may have an event without a wait",
  ],
  terminal_completed: "core/runtime/batches: of an instance that has %s are dropped",
  is_replaying: "core/replay/turn: knows whether its code has run before",
  action_to_event_kv_variants: "kv: are read back at once, and by clients after the turn",
  replay_set_value_reconstructs_state: [
    "kv: are deleted singly or all together, also those of earlier executions",
    "kv: count right across executions, too",
  ],
  replay_set_value_matches_action: [
    "kv: count right across executions, too",
    "kv: are deleted singly or all together, also those of earlier executions",
  ],
  replay_set_value_mismatch_nondeterminism: [
    "nondeterminism: another key",
    "nondeterminism: another value",
    "nondeterminism: another key to delete",
  ],
  kv_state_seeded_from_snapshot: [
    "kv: count right across executions, too",
    "kv: are deleted singly or all together, also those of earlier executions",
  ],
  prune_and_key_listing_use_key_order_and_accept_recorded_clear_order: [
    "kv: are read back at once, and by clients after the turn",
    "kv: are pruned by the time of their last write",
    "core/replay/clear-order: recorded as %s: it replays",
  ],
  schedule_mismatch_activity_vs_timer: [
    "nondeterminism: a timer instead of an activity",
    "nondeterminism: an activity instead of a timer",
    "nondeterminism: another activity",
    "nondeterminism: another input",
    "nondeterminism: another event",
  ],
  history_schedule_no_emitted_action: "nondeterminism: code that now ends before its history does",
  completion_without_schedule: [
    "nondeterminism: is a completion of something that was never scheduled",
    "core/replay/turn: of the wrong kind end the execution: %j",
  ],
  orchestration_chained_no_matching_action: [
    "core/replay/turn: has a detached start that the code does not make",
    "nondeterminism: another detached start",
    "core/replay/turn: completes a timer as an activity",
  ],
  timer_completion_for_closed_schedule: [
    "core/replay/turn: fires a timer twice",
    "core/replay/turn: completes a child twice",
    "core/replay/turn: completes a call twice",
    "core/replay/turn: fails a call that was completed",
  ],
  panic_handling: {
    tests: ["basics: fails when it throws before its first call", "basics: may throw anything"],
    missing: "a throw is an ordinary failure here, never a panic",
  },
  partial_completion: "core/replay/turn: while %s is awaited adds nothing",
  ms17a_unbound_replacement_requires_a_fresh_signal_after_binding:
    "events: that comes with the timer that ends its wait goes to no wait",
  ms17b_dropped_unbound_holder_does_not_refuse_fresh_signal: [
    "lost-races: twice leaves the next signal to the third wait",
    "lost-races: whose value no code read passes it to no other wait",
  ],
  ms18_lazy_positional_bind_order_preserves_live_winner_on_replay: [
    "race: is won by the first to settle, whatever its place among the arguments",
    "lost-races: to its sibling leaves its message to the next reader, a timer beside them notwithstanding",
  ],
  queue_races: [
    "lost-races: to a timer, twice, keeps the queue in order",
    "lost-races: before it is recorded at all reserves nothing",
  ],
  replay_with_completions: [
    "core/replay/turn: may have gaps in its ids: new ones continue after the highest",
    "core/replay/turn: joins more than a thousand completed children",
    "basics: catches an activity's failure and compensates",
  ],
  sequential_progress: [
    "basics: calls one activity after the other",
    "fan-out: tells identical calls apart",
    "queues: may be read between activities and timers",
    "basics: loops over activities",
  ],
  sub_orchestration: [
    "sub-orchestrations: gives its parent its result",
    "core/replay/turn: takes a child's id from history, not from the code",
    "sub-orchestrations: may be given an id, also one that contains the marker of automatic ids",
    "sub-orchestrations: of a later execution has the execution in its id",
  ],
  select2_timer_wins_activity_cancelled: [
    "race: cancels the losers: an activity is told to stop",
    "task-cancel: in the turn of the call means that the activity never runs",
    "task-cancel: rejects the task with CancelledError and tells the activity to stop",
  ],
  select2_activity_wins_timer_not_cancelled: [
    "race: cancels the losers: a losing timer leaves no trace",
    "task-cancel: of a settled task does nothing",
    "task-cancel: cancels every call of its scope",
  ],
  sub_orch_drop_after_schedule_cancelled: [
    "task-cancel: of a child cancels the child",
    "race: cancels the losers: a child is cancelled",
  ],
  cross_turn_activity_cancellation_emits_both_signals: [
    "task-cancel: rejects the task with CancelledError and tells the activity to stop",
    "task-cancel: of a child cancels the child",
  ],
  replay_select_loser_same_cancellation: [
    "race: cancels the losers: an activity is told to stop",
    "core/replay/turn: does not cancel again what history has cancelled",
  ],
  replay_fails_when_cancellation_decisions_differ:
    "nondeterminism: is a call that history gave up and the code does not",
  replay_does_not_reemit_activity_cancellation_side_channel_when_already_in_history:
    "core/replay/turn: does not cancel again what history has cancelled",
  replay_allows_new_cancellations_in_current_turn_even_when_prior_cancellations_exist: [
    "core/replay/turn: may ask for a cancellation more than once",
    "race: cancels the losers: a child is cancelled",
  ],
  // 6.6 cancellation_tests.rs (26), races, futures, async blocks
  cancel_parent_down_propagates_to_child: "cancellation: cancels all its children, down the line",
  cancel_parent_with_multiple_children: "cancellation: cancels all its children, down the line",
  cancel_child_directly_signals_parent:
    "sub-orchestrations: that is cancelled by a client fails its parent's call",
  cancel_after_completion_is_noop: "cancellation: after its end, or of an unknown instance, changes nothing",
  multiple_cancel_calls_are_idempotent: [
    "cancellation: is idempotent: one request is recorded",
    "cancellation: works before its start is processed",
  ],
  cancel_continue_as_new_second_exec:
    "cancellation: hits the execution that is running after a continue-as-new",
  orchestration_completes_before_activity_finishes:
    "basics: is not held up by an activity that no code awaits, which is cancelled",
  activity_receives_cancellation_signal: [
    "cancellation: learns of it at once in the process of the orchestration",
    "cancellation: learns of it in another process when its lock cannot be renewed",
  ],
  select2_loser_activity_receives_cancellation_signal:
    "race: cancels the losers: an activity is told to stop",
  activity_result_dropped_when_orchestration_cancelled:
    "cancellation: drops the result that an activity brings later",
  activity_skipped_when_orchestration_terminal_at_fetch: "cancellation: does not run if it has not begun",
  activity_aborted_after_cancellation_grace:
    "cancellation: loses its slot after the grace period if it does not listen",
  explicit_drop_activity_triggers_cancellation: [
    "task-cancel: rejects the task with CancelledError and tells the activity to stop",
    "basics: is not held up by an activity that no code awaits, which is cancelled",
  ],
  select2_loser_sub_orchestration_cancelled: [
    "race: cancels the losers: a child is cancelled",
    "task-cancel: of a child cancels the child",
    "sub-orchestrations: whose parent fails meanwhile is cancelled",
  ],
  user_cancel_instance_and_dropped_future_both_enqueue_cancelinstance_for_child: [
    "cancellation: is idempotent: one request is recorded",
    "task-cancel: of a child cancels the child",
  ],
  positional_arrival_before_sub_outstanding: "events: that comes before the wait is recorded and lost",
  cancelled_subscription_does_not_steal_future_event:
    "lost-races: twice leaves the next signal to the third wait",
  positional_matching_fifo_without_cancellation: "events: goes to the waits of its name in order",
  duplicate_external_events_not_deduplicated:
    "events: may come twice with the same content: that is two events",
  wait_external_completes_fs: [
    "events: wakes the wait for it",
    "race: is won by the first to settle, whatever its place among the arguments",
    "race: with keep leaves the losers alone",
  ],
  select2_two_externals_first_delivery_wins: [
    "race: is won by the first to settle, whatever its place among the arguments",
    "fan-out: schedules everything in one turn and joins in argument order",
    "race: whose loser completes later replays",
    "basics: is not held up by an activity that no code awaits, which is cancelled",
  ],
  async_block: [
    "race: goes no further once it has lost",
    "race: that wins gives its result",
    "race: may be nested, and a losing race cancels its members",
    "sub-orchestrations: may have children itself, whose ids nest",
    "fan-out: waits for every entry and rejects with the first error in argument order",
  ],
  // 6.7 queue_event_tests.rs (18)
  immediate_0131_queue_race_replays_same_batch_after_restart: [
    "queues: with a catch-up batch behind it: nothing is lost or read twice",
    "lost-races: to a timer, twice, keeps the queue in order",
  ],
  persistent_event_basic_delivery: [
    "queues: drops what comes before the instance exists, or after it has ended",
    "queues: keeps what comes before the first dequeue",
  ],
  persistent_event_fifo_ordering:
    "queues: drops what comes before the instance exists, or after it has ended",
  persistent_event_survives_select_cancellation_same_batch: [
    "queues: takes no message",
    "lost-races: to a timer, twice, keeps the queue in order",
  ],
  persistent_event_survives_select_cancellation_late_extra_discarded:
    "queues: drops what comes before the instance exists, or after it has ended",
  persistent_and_positional_are_independent:
    "queues: does not mix with other queues, nor with an event of its name",
  persistent_cancelled_subscription_emits_breadcrumb: [
    "queues: takes no message",
    "continue-as-new: ends open waits with the execution",
  ],
  persistent_multiple_cancelled_subscriptions_only_active_receives:
    "lost-races: to a timer, twice, keeps the queue in order",
  complex_multi_turn_persistent_and_positional_with_activities:
    "queues: may be read between activities and timers",
  select_then_join_persistent_and_positional: [
    "queues: does not mix with other queues, nor with an event of its name",
    "lost-races: does not touch a queue of its name",
  ],
  raise_event_typed_round_trip: [
    "events: is checked by its schema where it is raised",
    "set-aside: leaves the wait for an event open, and is shown with the reason",
    "payloads: of a queue refuses a bad message where it is sent",
  ],
  multi_queue_isolation_and_independent_fifo: [
    "queues: does not mix with other queues, nor with an event of its name",
    "queues: carries unread messages over, in arrival order across queues",
  ],
  events_enqueued_before_start_orchestration_are_dropped:
    "queues: drops what comes before the instance exists, or after it has ended",
  continue_as_new_carries_the_oldest_100_unread_arrivals_across_names:
    "mailbox: loses none of hundreds of deposits that come at once",
  // 6.8 kv_store_tests.rs (65)
  kv_set_value_visible_via_client: "kv: are read back at once, and by clients after the turn",
  kv_clear_single_value: "kv: are deleted singly or all together, also those of earlier executions",
  kv_persists_across_turns: "kv: count right across executions, too",
  kv_typed_round_trip: "kv: with a schema are checked when they are written and read",
  client_get_value_running: [
    "kv: are read back at once, and by clients after the turn",
    "kv: outlive completion and failure, but not deletion",
    "deletion: takes the children, with what they own",
  ],
  kv_survives_continue_as_new: [
    "kv: count right across executions, too",
    "custom-status: survives turns, failures and continue-as-new",
    "kv: are deleted singly or all together, also those of earlier executions",
  ],
  kv_prune_execution_removes_orphan_keys:
    "deletion: while a chain goes on keeps the running execution and every entry",
  kv_parent_child_isolation: "kv: belong to their instance alone",
  kv_exceeding_key_limit_fails_orchestration: [
    "kv: may be 150, and no more, whenever they were set",
    "kv: may have 64 KiB each and no byte more",
  ],
  kv_works_in_select_branch: [
    "race: that has lost changes nothing any more, even where it goes on by itself",
    "kv: count right across executions, too",
  ],
  kv_get_value_from_instance: [
    "kv: is read as of the read, and stays so on replay",
    "kv: is undefined where the key or the instance is unknown",
    "kv: may be one's own, as committed",
  ],
  kv_client_get_all_values: [
    "kv: are read back at once, and by clients after the turn",
    "kv: are deleted singly or all together, also those of earlier executions",
  ],
  kv_prune_old_values_by_timestamp: "kv: are pruned by the time of their last write",
  kv_prune_current_turn_keys_with_max_threshold: "kv: are pruned by the time of their last write",
  kv_read_modify_write_across_turns: [
    "kv: count right across executions, too",
    "kv: are deleted singly or all together, also those of earlier executions",
  ],
  kv_single_thread_basic: {
    tests: [
      "kv: may be 150, and no more, whenever they were set",
      "mixed-clusters: works with one slot for turns and one for activities",
    ],
    missing: "stress runs: the benchmarks have them",
  },
  // 6.9 Retry: schedule_with_retry_tests.rs (44)
  test_retry_policy_default: [
    "retry: is attempted three times by default",
    "retry: may be limited to one attempt",
    "retry: refuses to be attempted less than once",
  ],
  test_backoff_none_always_zero: [
    "core/define/retry: waits as long as the Rust runtime: $strategy",
    "core/define/retry: stays at its maximum however many attempts have failed",
    "core/define/retry: from zero stays at zero",
  ],
  test_activity_succeeds_first_attempt: [
    "retry: that succeeds at once costs nothing",
    "retry: has a row for each attempt and each pause",
    "retry: gives up after the last attempt, with its error",
    "retry: may be limited to one attempt",
  ],
  test_retry_with_fixed_backoff: [
    "retry: has a row for each attempt and each pause",
    "retry: has no timers where there is no pause",
  ],
  test_timeout_fires_before_success: [
    "retry: ends the retries at once under the rule of Rust",
    "timeouts: does not count the time that a call waits for a worker",
    "retry: comes after failures that were retried",
  ],
  test_typed_activity_retry_success: [
    "retry: has a row for each attempt and each pause",
    "retry: gives up after the last attempt, with its error",
  ],
  test_replay_with_stale_events_in_history: "race: whose loser completes later replays",
  test_activity_completes_after_continue_as_new: [
    "continue-as-new: cancels what is in flight, and ignores its late completions",
    "retry: of one instance does not disturb that of another",
  ],
  retry_on_session_basic_success: "retry: uses one session for all attempts",
  // 6.10 Poison, unregistered, capability, CAN transition
  orchestration_attempt_count_increments_on_abandon: [
    "poison: an orchestration waits longer and longer, and then is poison",
    "poison: runs alone after as many attempts as allowed, and then its call rejects",
  ],
  poison_message_type_orchestration: [
    "poison: an orchestration waits longer and longer, and then is poison",
    "poison: an activity fails its instance, past any catch",
    "core/runtime/batches: is blocked, and not ended, when three lone runs have ended with their process",
    "core/runtime/options: have defaults",
  ],
  e2e_orchestration_item_poison_fails_orchestration: [
    "core/runtime/batches: is blocked, and not ended, when three lone runs have ended with their process",
    "poison: runs alone after as many attempts as allowed, and then its call rejects",
  ],
  e2e_sub_orchestration_poison_fails_parent: [
    "poison: a poisoned child fails its parent, past any catch, and the parent's parent",
    "poison: a child orchestration fails its parent",
  ],
  e2e_one_poisoned_activity_among_many: [
    "poison: one poisoned activity among many leaves the others' results in history",
    "poison: an activity fails its instance, past any catch",
  ],
  e2e_poison_message_creates_instance_if_missing: "core/runtime/batches: creates the instance that it fails",
  unknown_orchestration_fails_with_poison: [
    "poison: an orchestration waits longer and longer, and then is poison",
    "poison: an activity fails its instance, past any catch",
  ],
  test_backoff_calculation: [
    "poison: an orchestration waits longer and longer, and then is poison",
    "poison: an activity fails its instance, past any catch",
  ],
  continue_as_new_to_missing_version_fails_with_poison: [
    "poison: a continue-as-new to a missing version fails as an execution of its own",
    "poison: a poisoned instance can be deleted like any that has ended",
  ],
  successor_first_turn_must_obey_poison_budget:
    "core/runtime/batches: a start that no runtime has code for is poison as an execution of its own",
  unregistered_can_successor_poison_must_drain_late_inputs:
    "poison: a continue-as-new to a missing version fails as an execution of its own",
  delayed_can_start_defers_inputs_with_counted_backoff:
    "core/runtime/batches: %s are given back, longer each time, and that counts",
  stale_only_batch_waits_for_the_can_start:
    "core/runtime/batches: %s are given back, longer each time, and that counts",
  live_collision_ignores_only_the_same_known_parent_call:
    "core/runtime/batches: is ignored where it is the very call that made the instance, as far as that is known",
  missing_can_start_poisons_waiting_inputs_after_max_attempts:
    "core/runtime/batches: messages that waited too often poison the execution that never came, and tell the right parent",
  missing_can_start_fails_successor_with_previous_parent_not_a_duplicate_start:
    "core/runtime/batches: messages that waited too often poison the execution that never came, and tell the right parent",
  poisoned_child_successor_fails_its_parent:
    "poison: a continue-as-new to a missing version fails as an execution of its own",
  legacy_failure_after_can_stays_terminal:
    "core/runtime/batches: an old history that failed after it is at its end: late messages are dropped",
  failure_commit_must_preserve_collision_notification: {
    tests: ["faults: that is refused for a child tells the parent, too"],
    missing: "a collision in the same batch",
  },
  failed_can_abandon_leaves_waiting_inputs_for_lease_redelivery: "faults: that fails is left to the lease",
  capability_filtering_tests: [
    "mixed-clusters: is left to a runtime that supports it; new instances are for every runtime",
    "core/observe/versions: a supported version is no news",
    "core/observe/versions: a version outside the range is a warning, and the batch is given back",
  ],
  custom_supported_replay_versions_narrows_range: [
    "mixed-clusters: is left to a runtime that supports it; new instances are for every runtime",
    "continue-as-new: cancels what is in flight, and ignores its late completions",
  ],
  wide_supported_range_drains_stuck_items_via_deserialization_error: [
    "poison: ends the instance with an event far from all others",
    "core/observe/versions: a version outside the range is a warning, and the batch is given back",
    "core/observe/versions: a stamp that is no version is a warning, and the turn runs",
  ],
  nondeterminism_tests: [
    "nondeterminism: another activity",
    "core/replay/turn: of the wrong kind end the execution: %j",
    "nondeterminism: is a completion of something that was never scheduled",
    "nondeterminism: is not a completion for another execution, nor one that comes twice",
    "events: may come twice with the same content: that is two events",
  ],
  continue_as_new_tests: [
    "continue-as-new: rolls the input forward; each execution has a history of its own",
    "continue-as-new: ends open waits with the execution",
    "core/replay/turn: for another execution are dropped",
    "continue-as-new: counts also where no code awaits it, and beats a finished function",
    "continue-as-new: cancels what is in flight, and ignores its late completions",
  ],
  // 6.11 Prune, deletion, management, status
  test_prune_continue_as_new_chain: {
    tests: ["client: lists, inspects, prunes and deletes instances"],
    missing: "bulk pruning: shown of the providers",
  },
  test_prune_safety: [
    "client: lists, inspects, prunes and deletes instances",
    "deletion: while a chain goes on keeps the running execution and every entry",
  ],
  test_prune_bulk_includes_running_instances: {
    because: "The runtime passes bulk pruning on: shown of the providers.",
  },
  test_delete_terminal_orchestrations: [
    "client: lists, inspects, prunes and deletes instances",
    "poison: a poisoned instance can be deleted like any that has ended",
  ],
  test_force_delete_in_flight_work:
    "deletion: of an instance that waits for a timer, an event or an activity leaves nothing behind",
  test_cascade_delete_real_sub_orchestrations: {
    tests: [
      "deletion: takes the children, with what they own",
      "deletion: frees the id at once: a new instance sees nothing of the old",
    ],
    missing: "deep trees: shown of the providers",
  },
  test_delete_error_cases: {
    tests: ["client: lists, inspects, prunes and deletes instances"],
    missing: "concurrent deletions: shown of the providers",
  },
  test_get_instance_tree: "sub-orchestrations: may have children itself, whose ids nest",
  test_delete_orphan_race_condition_detection: {
    because: "Deleting is the provider's: shown of the providers.",
  },
  test_delete_instance_bulk_retention_policies: {
    because: "Deleting is the provider's: shown of the providers.",
  },
  management_interface_test: [
    "client: lists, inspects, prunes and deletes instances",
    "client: reads the size of an instance, and nothing of an unknown one",
  ],
  orchestration_status_tests: [
    "client: goes from NotFound over Running to Completed",
    "client: is Failed with details and message, also where the instance was cancelled",
    "client: is Running between two executions",
  ],
  custom_status_tests: [
    "custom-status: is seen by clients while the instance runs, and after its end",
    "custom-status: is undefined unless it was set, and again once it is cleared",
    "custom-status: counts once for a turn, however often the turn sets it",
    "custom-status: survives turns, failures and continue-as-new",
    "custom-status: cleared before a continue-as-new stays cleared",
    "custom-status: may have 256 KiB and no byte more",
  ],
  // 6.12 Versioning (18) and registries (34)
  runtime_start_versioned_string_uses_explicit_version: [
    "versions: with a version gets exactly that",
    "versions: without a version gets the newest, by number and not by text",
    "versions: follows the policy of the runtime",
  ],
  sub_orchestration_versioned_explicit_and_policy:
    "versions: of a child or a detached orchestration follows the same rules",
  detached_versioned_uses_policy_latest: [
    "versions: of a child or a detached orchestration follows the same rules",
    "continue-as-new: moves to the newest version, unless one is named",
  ],
  register_default_is_1_0_0_and_list_versions: [
    "core/define/definitions: of an orchestration has a semantic version, 1.0.0 by default",
    "core/runtime/options: orders versions by number, releases after their candidates",
    "core/runtime/options: finds an exact version, and nothing for a missing or malformed one",
    "core/runtime/options: follows the policy, which must name a registered version",
  ],
  duplicate_default_version_returns_error:
    "core/runtime/options: refuses two handlers of one name and version",
  registry_tests: {
    tests: [
      "core/runtime/options: refuses two handlers of one name and version",
      "core/define/definitions: of an activity must not use the prefix of system calls",
      "determinism: are served by a runtime without any activity",
      "core/runtime/options: need at least one handler",
    ],
    missing: "registries are not merged here: lists of definitions are",
  },
  // 6.13 Sessions (22), tags (18)
  test_session_activity_basic_e2e: "sessions-and-tags: is known to its activities; others run beside it",
  test_session_id_visible_in_activity_context:
    "sessions-and-tags: is known to its activities; others run beside it",
  test_session_with_worker_node_id_completes: [
    "sessions-and-tags: runs on all slots of a node with a stable name",
    "sessions-and-tags: is not the only one: different sessions run at once",
  ],
  test_two_slots_serve_same_session_concurrently: [
    "sessions-and-tags: runs on all slots of a node with a stable name",
    "sessions-and-tags: runs one activity at a time where each slot owns its own sessions",
  ],
  test_session_fan_out_fan_in: [
    "sessions-and-tags: is known to its activities; others run beside it",
    "sessions-and-tags: is not the only one: different sessions run at once",
  ],
  test_session_survives_continue_as_new: [
    "conversations: is remembered across executions, and is not mixed with another one",
    "conversations: goes on with a newer version of its orchestration",
  ],
  test_session_idle_timeout_must_exceed_worker_renewal_interval: "core/runtime/options: must make sense: %j",
  test_max_sessions_per_runtime_enforced: {
    because: "Sessions have no limit of their own: their activities occupy slots as all do.",
  },
  test_multi_worker_complex_orchestration: [
    "sessions-and-tags: stays with its worker while that one lives, and moves when its lease ends",
    "conversations: stays on one of two nodes with different limits",
  ],
  tag_serde_tests: [
    "sessions-and-tags: brings an activity to a worker that accepts it",
    "sessions-and-tags: that no runtime serves loses to a timer",
    "sessions-and-tags: may have 256 bytes and no more",
    "basics: knows the instance and the orchestration that it works for",
  ],
  e2e_tag_routing_survives_continue_as_new: [
    "sessions-and-tags: lets an orchestrator and a worker of another kind share one store",
    "sessions-and-tags: that no runtime serves loses to a timer",
    "sessions-and-tags: may be used in the next execution",
  ],
  // 6.14 Shutdown (22), locks (11), polling, recovery
  shutdown_stops_pollers_parked_in_long_poll: [
    "shutdown: ends idle long polls at once",
    "shutdown: without grace waits for nothing; the activity is handed out again when its lease ends",
    "shutdown: returns as soon as what was in flight has finished, and keeps its outcome",
    "shutdown: may be called again and again",
    "shutdown: with a shorter grace shortens one that is under way",
  ],
  shutdown_zero_stops_activity_and_renewal_before_returning: [
    "shutdown: without grace waits for nothing; the activity is handed out again when its lease ends",
    "core/runtime/lock-renewal: is renewed no more once its runtime has ended",
    "shutdown: after its grace drops what comes too late",
    "shutdown: keeps the lock of what it waits for",
    "shutdown: during a fetch loses nothing of what the fetch has locked",
  ],
  shutdown_before_orchestration_ack_recovers_the_turn: {
    tests: [
      "shutdown: before a commit that never comes leaves the turn to the next runtime",
      "shutdown: in the middle of a commit keeps what was stored",
      "shutdown: after its grace drops what comes too late",
    ],
    missing: "code that never yields cannot be interrupted in one thread",
  },
  lock_timeout_tests: [
    "core/runtime/lock-renewal: is renewed at half its time",
    "faults: is renewed for as long as it takes",
    "faults: is renewed while its commit takes its time",
    "faults: that is lost makes the turn run again, and its outcome counts once",
  ],
  timer_tests: [
    "timers: fires when its time has come, not before",
    "order: fire by their deadlines, and those of one instant in the order of their creation",
    "queues: may be read between activities and timers",
    "timers: before timers fire loses none",
    "timers: after a timer has fired does not fire it again",
    "timers: of no time fires all the same",
    "race: cancels the losers: a losing timer leaves no trace",
  ],
  recovery_tests: [
    "timers: in the middle of an activity hands it out again",
    "nondeterminism: is not a completion for another execution, nor one that comes twice",
    "faults: that was stored, although the store said otherwise, is not repeated",
    "faults: that the store could not take is offered again, and the handler does not run again",
    "fan-out: of hundreds of children is joined",
    "mixed-clusters: of two nodes shares instances without disturbing them",
  ],
  // 6.15 Errors, ids, system calls, observability, serde
  errors_tests: [
    "basics: catches an activity's failure and compensates",
    "basics: fails when it throws before its first call",
    "poison: an activity fails its instance, past any catch",
    "events: for a finished or unknown instance changes nothing, where it is to be kept",
    "events: that comes before the wait is recorded and lost",
    "starts: goes on with the instance that is there by default",
    "payloads: of an orchestration is checked where it runs, too",
  ],
  instance_id_validation_tests: [
    "core/define/definitions: of a root has no marker of children, other double colons are fine",
    "core/define/definitions: of a child must only not begin with the marker",
    "sub-orchestrations: may not have an id that begins with the marker: nothing is scheduled",
    "sub-orchestrations: may not have an id of a child's form",
    "client: stores nothing of what it refuses",
  ],
  system_calls_test: [
    "determinism: give recorded ids and times",
    "determinism: may be pending when the instance is cancelled",
  ],
  observability_tests: {
    tests: [
      "determinism: says each line once, across turns and restarts",
      "determinism: of an activity carries its identity",
    ],
    missing: "the counters: packages/core/test/observe",
  },
  typed_composability_tests: {
    tests: [
      "fan-out: schedules everything in one turn and joins in argument order",
      "race: rejects with the winner's error, and cancels the losers all the same",
      "starts: goes on with the instance that is there by default",
      "client: invents an id where it is given none",
    ],
    missing: "mapping a task is promise.then",
  },
  parent_execution_id_serde_tests: [
    "core/wire/work-items: has no key for what Rust omits, also where another writer wrote null",
    "sub-orchestrations: gives its parent its result",
  ],
};
