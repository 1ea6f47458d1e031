//! The orchestrations and activities. Those of `shared` stand in `programs.ts` too, step by step the same: what one
//! side began, the other one replays.

use crate::hanging::HangingPoint;
use duroxide::runtime::registry::ActivityRegistry;
use duroxide::{ActivityContext, Either2, OrchestrationContext, OrchestrationRegistry};
use std::time::Duration;

const STEPS: i64 = 5;
const CHILDREN: i64 = 3;
const LAST_ROUND: i64 = 3;
const RACES: i64 = 10;

pub fn activities(hanging: HangingPoint) -> ActivityRegistry {
    ActivityRegistry::builder()
        .register_typed("greet", move |_: ActivityContext, name: String| {
            let hanging = hanging.clone();
            async move {
                hanging.pass("greet");
                Ok(format!("Hello, {name}, from Rust"))
            }
        })
        .register_typed("add", |_: ActivityContext, (a, b): (i64, i64)| async move {
            Ok(a + b)
        })
        .build()
}

pub fn orchestrations(hanging: HangingPoint) -> OrchestrationRegistry {
    OrchestrationRegistry::builder()
        .register_typed("rustAsks", asks)
        .register_typed("relay", move |ctx, name| relay(ctx, name, hanging.clone()))
        .register_typed("conversation", conversation)
        .register_typed("secondRound", second_round)
        .register_typed("hello", hello)
        .register_typed("sequence", sequence)
        .register_typed("fanOut", fan_out)
        .register_typed("timer", timer)
        .register_typed("parent", parent)
        .register_typed("eternal", eternal)
        .register_typed("session", session)
        .register_typed("racing", racing)
        .build()
}

/// Only Rust knows it. Its activity is for the side that serves the tag.
async fn asks(ctx: OrchestrationContext, tag: String) -> Result<String, String> {
    let name = ctx.instance_id();
    ctx.schedule_activity_typed("greet", &name).with_tag(tag).await
}

async fn relay(
    ctx: OrchestrationContext,
    name: String,
    hanging: HangingPoint,
) -> Result<Vec<String>, String> {
    let first = greet(&ctx, &name).await?;
    hanging.pass("relay");
    let second = greet(&ctx, &name).await?;
    Ok(vec![first, second])
}

/// Shows what it does, and is told how to go on.
async fn conversation(ctx: OrchestrationContext, number: i64) -> Result<i64, String> {
    ctx.set_kv_value_typed("asked", &number);
    let go = ctx.schedule_wait_typed::<i64>("go");
    ctx.set_custom_status("waiting");
    let told = go.await;
    ctx.schedule_timer(Duration::from_millis(50)).await;
    let letter: i64 = ctx.dequeue_event_typed("letters").await;
    ctx.set_custom_status("done");
    add(&ctx, told, letter).await
}

/// Waits in its second execution.
async fn second_round(ctx: OrchestrationContext, round: i64) -> Result<i64, String> {
    if round < 2 {
        ctx.continue_as_new_typed(&(round + 1)).await?;
    }
    let go = ctx.schedule_wait_typed("go");
    ctx.set_custom_status("waiting");
    Ok(go.await)
}

async fn hello(ctx: OrchestrationContext, name: String) -> Result<String, String> {
    greet(&ctx, &name).await
}

async fn sequence(ctx: OrchestrationContext, from: i64) -> Result<i64, String> {
    let mut sum = from;
    for step in 1..=STEPS {
        sum = add(&ctx, sum, step).await?;
    }
    Ok(sum)
}

async fn fan_out(ctx: OrchestrationContext, width: i64) -> Result<i64, String> {
    let parts = (0..width)
        .map(|index| ctx.schedule_activity_typed("add", &(index, 1)))
        .collect();
    let results: Vec<Result<i64, String>> = ctx.join(parts).await;
    results.into_iter().sum()
}

async fn timer(ctx: OrchestrationContext, ms: u64) -> Result<i64, String> {
    ctx.schedule_timer(Duration::from_millis(ms)).await;
    add(&ctx, ms as i64, 1).await
}

async fn parent(ctx: OrchestrationContext, from: i64) -> Result<Vec<i64>, String> {
    let children = (from..from + CHILDREN)
        .map(|number| ctx.schedule_sub_orchestration_typed("sequence", &number))
        .collect();
    let results: Vec<Result<i64, String>> = ctx.join(children).await;
    results.into_iter().collect()
}

async fn eternal(ctx: OrchestrationContext, round: i64) -> Result<i64, String> {
    let before: i64 = ctx.get_kv_value_typed("total")?.unwrap_or(0);
    let total = add(&ctx, before, round).await?;
    ctx.set_kv_value_typed("total", &total);
    if round < LAST_ROUND {
        ctx.continue_as_new_typed(&(round + 1)).await?;
    }
    Ok(total)
}

/// Short timers against a letter, in one execution after the other.
async fn racing(ctx: OrchestrationContext, round: i64) -> Result<i64, String> {
    for _ in 0..RACES {
        let letter = ctx.dequeue_event_typed::<i64>("letters");
        let timer = ctx.schedule_timer(Duration::from_millis(10));
        if let Either2::First(letter) = ctx.select2(letter, timer).await {
            return Ok(letter);
        }
    }
    ctx.continue_as_new_typed(&(round + 1)).await?;
    Ok(0)
}

/// A session belongs to one worker.
async fn session(ctx: OrchestrationContext, name: String) -> Result<Vec<String>, String> {
    let mut greetings = Vec::new();
    for _ in 0..STEPS {
        greetings.push(
            ctx.schedule_activity_on_session_typed("greet", &name, ctx.instance_id())
                .await?,
        );
    }
    Ok(greetings)
}

async fn greet(ctx: &OrchestrationContext, name: &String) -> Result<String, String> {
    ctx.schedule_activity_typed("greet", name).await
}

async fn add(ctx: &OrchestrationContext, a: i64, b: i64) -> Result<i64, String> {
    ctx.schedule_activity_typed("add", &(a, b)).await
}
