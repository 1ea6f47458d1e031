const NOT_YET = "the service was seen to do this, and the endpoint does not do it yet";

/** Checks that our endpoint is known to fail, and why it stays so. A test fails when one of them passes. */
export const DEVIATIONS: Readonly<Record<string, string>> = {
  "databases and containers: a new database has a feed of users without any":
    "users and permissions are not served",
  "triggers and functions: a query calls a user-defined function": "functions are stored, not executed",
  "triggers and functions: a trigger runs for the write that names it":
    "triggers are stored, and a request that names one is refused",
  "answers: OPTIONS is 403": NOT_YET,
  "answers: a write says quota and usage of the container": NOT_YET,
  "answers: an answer about an item has the headers that the service adds": NOT_YET,
  "answers: an unknown path is 400": NOT_YET,
  "batch: success has the content path, failure has a session token without it": NOT_YET,
  "databases and containers: a container without partition key, or with a slash in its name, is refused":
    NOT_YET,
  "paging: -1 and 5000 give all 2,500 at once": NOT_YET,
  "patch: incr of what is no number is refused": NOT_YET,
  "patch: remove beyond an array is refused": NOT_YET,
  "query plans: a plan for a client without the feature is 400": NOT_YET,
  'query syntax: "" is SC1002': NOT_YET,
  'query syntax: "SELECT * FROM c WHERE" is SC1001': NOT_YET,
  "query: the content type of a query makes it one; with a document's it is read as a document": NOT_YET,
  "sessions: a level stronger than the account's is 400": NOT_YET,
  "sessions: refusals have a token too": NOT_YET,
  "throttling: requests beyond the throughput are 429/3200 with the time to wait, nothing of them stored":
    NOT_YET,
};
