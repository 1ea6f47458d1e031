/**
 * Stored procedures, triggers and user-defined functions as resources: stored, listed, replaced, deleted. Only stored
 * procedures are executed, see execute-script.ts.
 */
import type { Container, ContainerScripts } from "../../engine/index.ts";
import { type Answer, emptyAnswer } from "../answers/answer.ts";
import {
  RESOURCE_WRITE_CHARGE,
  resourceAnswer,
  resourceBody,
  resourceFeed,
  resourceQuery,
  resourceRead,
} from "../answers/resource-answer.ts";
import { containerOf, type Handler, type RequestContext } from "../context.ts";
import { containerHeaders } from "../headers/container-headers.ts";
import { textHeader } from "../headers/headers.ts";

export interface ScriptHandlers {
  readonly create: Handler;
  readonly upsert: Handler;
  readonly list: Handler;
  readonly query: Handler;
  readonly read: Handler;
  readonly replace: Handler;
  readonly delete: Handler;
}

export const storedProcedures: ScriptHandlers = handlersOf("StoredProcedures", (it) => it.storedProcedures);
export const triggers: ScriptHandlers = handlersOf("Triggers", (it) => it.triggers);
export const userDefinedFunctions: ScriptHandlers = handlersOf(
  "UserDefinedFunctions",
  (it) => it.userDefinedFunctions,
);

function handlersOf(feed: string, scriptsOf: (container: Container) => ContainerScripts): ScriptHandlers {
  const withScripts =
    (
      serve: (scripts: ContainerScripts, context: RequestContext, headers: Record<string, string>) => Answer,
    ): Handler =>
    (context) => {
      const container = containerOf(context);
      return serve(scriptsOf(container), context, containerHeaders(container));
    };
  return {
    create: withScripts((scripts, { request }, headers) =>
      resourceAnswer(201, scripts.create(resourceBody(request)), RESOURCE_WRITE_CHARGE, headers),
    ),
    upsert: withScripts((scripts, { request }, headers) => {
      const { resource, isNew } = scripts.upsert(resourceBody(request));
      return resourceAnswer(isNew ? 201 : 200, resource, RESOURCE_WRITE_CHARGE, headers);
    }),
    list: withScripts((scripts, context) =>
      resourceFeed(context.request, feed, containerOf(context).rid, scripts.list()),
    ),
    query: withScripts((scripts, context) =>
      resourceQuery(context.request, feed, containerOf(context).rid, (query) => scripts.query(query)),
    ),
    read: withScripts((scripts, { request, address }, headers) =>
      resourceRead(request, scripts.read(address.id), headers),
    ),
    replace: withScripts((scripts, { request, address }, headers) => {
      const ifMatch = textHeader(request.headers, "if-match");
      const replaced = scripts.replace(address.id, resourceBody(request), ifMatch);
      return resourceAnswer(200, replaced, RESOURCE_WRITE_CHARGE, headers);
    }),
    delete: withScripts((scripts, { request, address }, headers) => {
      scripts.remove(address.id, textHeader(request.headers, "if-match"));
      return emptyAnswer(204, RESOURCE_WRITE_CHARGE, headers);
    }),
  };
}
