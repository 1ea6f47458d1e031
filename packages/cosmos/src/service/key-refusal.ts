/** Whether an account refused a change of its databases, containers or scripts because of the property `disableKeyBasedMetadataWriteAccess`. */
export function forbidsKeys(message: string): boolean {
  return /not allowed through Azure Cosmos DB endpoint/i.test(message);
}
