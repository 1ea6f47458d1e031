/** Advice about work that is blocked, by its reason. */

export const BLOCK_ADVICE: Readonly<Record<string, string>> = {
  nondeterminism:
    "Deploy code that fits this history again, or register the changed code under a new version.",
  defect: "Correct the code and deploy it. The work then goes on from before the mistake.",
  "missing-orchestration": "Deploy a worker that has this orchestration in this version.",
  "missing-activity": "Deploy a worker that has this activity.",
  "unserved-tag": "Start a worker whose workerTagFilter has the tag of this activity.",
  attempts:
    "Its turn ended its process, or took too long, each time. Deploy corrected code; it is tried again after a while. Or terminate the instance.",
  store: "The store keeps the turn from going on; the reason is below.",
};
