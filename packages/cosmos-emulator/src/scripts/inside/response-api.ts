/** The sandbox's request and response objects and its log: what a script was called with and what it leaves. */
export const RESPONSE_API: string = `"use strict";
(settings, { badRequest, checkSize }) => {
  const { stringify } = JSON;
  const text = String;

  // A text from the beginning, to which anything can be appended.
  let responseBody = "";
  let log = "";
  const sizeOf = (value) => (typeof value === "string" ? value : (stringify(value) ?? "")).length;
  const setBody = (value) => {
    checkSize("body", sizeOf(value), settings.maxResponseLength);
    responseBody = value;
  };
  const appendBody = (value) => setBody(responseBody === undefined || responseBody === null ? value : responseBody + value);
  const isBody = (name) => text(name).toLowerCase() === "body";
  const checkBody = (name) => {
    if (!isBody(name)) throw badRequest("A script cannot set " + text(name) + ", but its body only.");
  };
  const response = {
    getBody: () => responseBody,
    setBody,
    appendBody,
    getValue: (name) => (isBody(name) ? responseBody : undefined),
    setValue(name, value) { checkBody(name); setBody(value); },
    appendValue(name, value) { checkBody(name); appendBody(value); },
  };
  const request = {
    getBody: () => settings.argumentsText,
    getValue: (name) => (isBody(name) ? settings.argumentsText : undefined),
  };

  const format = (pattern, values) => {
    let index = 0;
    return pattern.replace(/%([%s])/g, (_, kind) => (kind === "%" ? "%" : text(values[index++])));
  };
  globalThis.console = {
    log(...values) {
      if (!settings.enableLogging) return;
      const [pattern, ...more] = values;
      const line = more.length === 0 ? text(pattern) : format(text(pattern), more);
      checkSize("log", log.length + line.length, settings.maxLogLength);
      log += line;
    },
  };

  // What was set may have changed since, so that its size is checked once more.
  const finish = () => {
    const body = stringify(responseBody) ?? "null";
    checkSize("body", body.length, settings.maxResponseLength);
    return stringify({ body, log });
  };
  return { request, response, finish };
}`;
