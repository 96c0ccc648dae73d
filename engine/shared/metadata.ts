export type Metadata = Readonly<Record<string, string | number | boolean>>

/** Sorts metadata by key, so that a fingerprint does not depend on the order in which keys were sent. */
export const sortedMetadata = (metadata: Metadata): Metadata => {
  const sorted: { [name: string]: Metadata[string] } = {}
  for (const name of Object.keys(metadata).sort()) sorted[name] = metadata[name]!
  return sorted
}
