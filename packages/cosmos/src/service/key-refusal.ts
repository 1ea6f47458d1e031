/** Whether the property `disableKeyBasedMetadataWriteAccess` of an account refused a change of its resources. */
export function forbidsKeys(message: string): boolean {
  return /not allowed through Azure Cosmos DB endpoint/i.test(message);
}
