import Type, { type Static } from 'typebox'
import type { EvidenceFile } from '../../../../engine/payments/transaction/transaction.ts'
import type { Read } from '../../../api/route.ts'
import { bounds } from '../../../base/bounds.ts'
import { textUpTo } from '../../../schema/schema.ts'
import { refusedField } from '../../charge-input.ts'

/** A party's statement in a dispute about a PIX, with the files that prove it. */
export const statementInput = Type.Object(
  {
    text: textUpTo(bounds.defenseCharsMax, 'What you say.', { multiline: true, min: bounds.defenseCharsMin }),
    files: Type.Optional(
      Type.Array(
        Type.Object({
          name: textUpTo(bounds.evidenceNameCharsMax, 'The name of the file.'),
          content: textUpTo(
            bounds.evidenceCharsMax,
            'The file in base64: a PDF, PNG or JPEG, which its first bytes say.',
          ),
        }),
        {
          maxItems: bounds.evidenceFilesMax,
          description: `At most ${bounds.evidenceFilesMax}, together ${bounds.evidenceCharsMax / 1024} KiB of base64.`,
        },
      ),
    ),
  },
  { examples: [{ text: 'The order was collected by the payer, who signed for it: see the receipt.' }] },
)

export type StatementInput = { readonly text: string; readonly files: readonly EvidenceFile[] }

/** Reads a statement. The bytes of a file decide its type, not a name or header. */
export const readStatement = ({ text, files = [] }: Static<typeof statementInput>): Read<StatementInput> => {
  const read: EvidenceFile[] = []
  for (const [n, { name, content: base64 }] of files.entries()) {
    const field = `files[${n}].content`
    const bytes = Buffer.from(base64, 'base64')
    // The decoder skips characters outside base64.
    if (base64 === '' || bytes.toString('base64') !== base64)
      return refusedField(field, 'INVALID_FORMAT', (say) => say.fileNoBase64(field))
    const mediaType = mediaTypeOf(bytes)
    if (mediaType === null) return refusedField(field, 'INVALID_FORMAT', (say) => say.fileNoEvidence(field))
    read.push({ name: name.trim(), mediaType, base64 })
  }
  const max = bounds.evidenceCharsMax
  if (read.reduce((sum, { base64 }) => sum + base64.length, 0) > max)
    return refusedField('files', 'TOO_LONG', (say) => say.filesTooLong('files', max))
  return { ok: true, input: { text: text.trim(), files: read } }
}

/** ISO 32000, ISO/IEC 15948 and ITU-T T.81: how a file of each begins and ends. */
const mediaTypeOf = (bytes: Buffer): EvidenceFile['mediaType'] | null => {
  const begins = (start: string): boolean => bytes.subarray(0, start.length).toString('latin1') === start
  const end = bytes.subarray(-1024).toString('latin1')
  if (begins('%PDF-')) return end.includes('%%EOF') ? 'application/pdf' : null
  if (begins('\x89PNG\r\n\x1a\n')) return end.endsWith('IEND\xaeB`\x82') ? 'image/png' : null
  if (begins('\xff\xd8\xff')) return end.endsWith('\xff\xd9') ? 'image/jpeg' : null
  return null
}
