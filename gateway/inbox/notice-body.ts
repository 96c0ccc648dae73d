import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { deflateRaw, deflateRawSync, inflateRaw, inflateRawSync } from 'node:zlib'
import { bounds } from '../base/bounds.ts'

/** The body as it is kept: a thousand payments as JSON shrink to a tenth. */
export const packBody = async (body: Uint8Array): Promise<Uint8Array> =>
  body.length <= smallBytes ? deflateRawSync(body) : pack(body)

/** The body as it came; null where what is kept is nothing of ours, or forgotten. */
export const unpackBody = async (packed: Uint8Array): Promise<Uint8Array | null> => {
  if (packed.length === 0) return null
  try {
    const limits = { maxOutputLength: bounds.noticeBodyBytesMax }
    return packed.length <= smallBytes / 16 ? inflateRawSync(packed, limits) : await unpack(packed, limits)
  } catch {
    return null
  }
}

/** The same for the same body under the same path. A query is the address's, not the notice's. */
export const noticeKeyOf = (path: string, body: Uint8Array): string => {
  const mark = path.indexOf('?')
  return createHash('sha256')
    .update(mark < 0 ? path : path.slice(0, mark))
    .update('\n')
    .update(body)
    .digest('base64url')
}

/** Headers by which adapters may read a body, or check who wrote it. */
export const noticeHeadersOf = (
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(
    noticeHeaders.flatMap((name) => {
      const value = headers[name]
      return typeof value === 'string' && value.length <= headerCharsMax ? [[name, value]] : []
    }),
  )

const noticeHeaders = ['content-type', 'date', 'digest', 'merchantid', 'signature', 'x-signature']
const headerCharsMax = 1024

/** Less than a millisecond of work: a thread of its own would take longer to be asked. */
const smallBytes = 32 * 1024

const pack = promisify(deflateRaw)
const unpack = promisify(inflateRaw)
