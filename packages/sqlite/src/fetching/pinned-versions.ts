/** Pinned versions of the instances that are due at some time. */

/** A table `pins`, which steps from one version to the next through the index, however many instances have it. */
export const WITH_PINS = `WITH RECURSIVE pins (pin) AS (
    SELECT min(pinned_version) FROM instances WHERE due_at IS NOT NULL
    UNION ALL
    SELECT (SELECT min(pinned_version) FROM instances WHERE due_at IS NOT NULL AND pinned_version > pin)
    FROM pins WHERE pin IS NOT NULL)`;
