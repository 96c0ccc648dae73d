import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { checksumOfJson } from '../base/checksum.ts'
import { replaceFile } from '../disk/replace-file.ts'

/** The node that a data directory belongs to; null outside a cluster. */
export type Home = { readonly cluster: string; readonly node: string }

/** The content of a data directory's `format.json`. */
export type Manifest = {
  /** Random outside a cluster; in a cluster the same on every node, so that journals have the same seals. */
  readonly id: string
  readonly shards: number
  /** See `masterKeyCheck` in master-key.ts. */
  readonly masterKeyCheck: string
  readonly home: Home | null
}

/** The id of a cluster's data directories. */
export const clusterId = (cluster: string): string => `cluster ${cluster}`

/** The file that makes a directory a data directory. Written once. */
export const formatFile = 'format.json'

/** The format of a data directory. All others are refused; 1 to 3 were never released. */
const dataFormat = 4

/** A data directory cannot be used; the message is for the operator. */
export const DataDirectoryRefusal = class extends Error {}

/** The manifest is missing or is something else. */
export const NoManifest = class extends DataDirectoryRefusal {}

/** The manifest in `format.json`; null without the file. Throws `DataDirectoryRefusal` for an unusable one. */
export const readManifest = (path: string): Manifest | null => {
  const file = join(path, formatFile)
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT' || code === 'ENOTDIR') return null
    throw new DataDirectoryRefusal(`${path} cannot be read: ${message}`)
  }
  const { checksum, ...stored } = parsedFormat(text)
  const { format, id, shards, masterKeyCheck, cluster, node } = stored
  if (format === undefined || shards === undefined)
    throw new NoManifest(`${path} is not a data directory: its ${formatFile} is something else`)
  if (format > dataFormat) {
    throw new DataDirectoryRefusal(
      `${path} has data format ${format}; this version reads ${dataFormat}: start a newer version of the service`,
    )
  }
  // The first days of format 4 knew neither the checksum nor that of the master key.
  const isEarly = format === dataFormat && masterKeyCheck === undefined && checksum === undefined
  if (format < dataFormat || isEarly) {
    throw new DataDirectoryRefusal(
      `${path} has ${isEarly ? 'an early ' : ''}data format ${format}, from before the first release, and this version reads ${isEarly ? 'a later' : dataFormat}: export what you need with the version that made it, and begin with a new data directory`,
    )
  }
  if (id === undefined || masterKeyCheck === undefined || checksum !== checksumOfJson(stored))
    throw new NoManifest(`${file} is damaged: put that of the last backup in its place`)
  const home = cluster === undefined || node === undefined ? null : { cluster, node }
  return { id, shards, masterKeyCheck, home }
}

const parsedFormat = (
  text: string,
): Partial<Omit<Manifest, 'home'> & Home & { readonly format: number; readonly checksum: string }> => {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

/** A crash leaves either no format file or a whole one. */
export const writeManifest = (path: string, { home, ...manifest }: Manifest): void => {
  const file = join(path, formatFile)
  const stored = { format: dataFormat, ...manifest, ...home }
  replaceFile(file, `${JSON.stringify({ ...stored, checksum: checksumOfJson(stored) })}\n`)
}
