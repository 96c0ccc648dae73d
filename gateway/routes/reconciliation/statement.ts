import { createHash } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import Type from 'typebox'
import type { GiveStatement, StatementRefusal } from '../../../engine/reconciliation/commands.ts'
import { movementsMax, type StatementMovement } from '../../../engine/reconciliation/statement.ts'
import { type CalendarDate, readDate } from '../../../engine/shared/calendar.ts'
import type { Read, RequestContext } from '../../api/route.ts'
import { commandRoute } from '../../api/route.ts'
import { bounds } from '../../base/bounds.ts'
import { type OfxFlaw, type OfxStatement, ofxBytesMax, readOfx } from '../../inbox/ofx.ts'
import { isStatementOf } from '../../providers/account-of-statement.ts'
import { endToEndIdIn, kindOfLine } from '../../providers/statement-text.ts'
import { reconciliationDetail } from '../../resources/reconciliation/reconciliation.ts'
import { textUpTo } from '../../schema/schema.ts'
import { refusedField } from '../charge-input.ts'
import { forExisting } from '../command-target.ts'

export const giveStatementRoute = commandRoute({
  tag: 'Reconciliation',
  product: null,
  verb: 'POST',
  permission: 'transfers.approve',
  isForPeople: true,
  factor: 'SESSION',
  idempotent: true,
  path: '/v1/reconciliations/:id/statement',
  operationId: 'giveStatement',
  summary: 'Upload the bank’s statement of a day',
  description:
    'Takes a file in OFX, which every bank exports, as the third book of the day: whole or not at all. Its account must be that of the connection, and its period must have the day in it; lines of other days are left out. The books are compared at once, and the answer may come before that. Nothing is booked by a file. The same file once more changes nothing, and another one takes its place.',
  refusals: [404, 422],
  body: Type.Object({
    file: textUpTo(
      bounds.statementCharsMax,
      'The file in base64, at most 45 KB of it. A longer one is compressed with gzip before that, and has at most one MiB.',
    ),
  }),
  answer: reconciliationDetail.schema,
  read: ({ file }): Read<GivenFile> => {
    const bytes = bytesOf(file)
    if (bytes === null) return refusedField('file', 'INVALID_FORMAT', (say) => say.fileNoBase64('file'))
    const statement = bytes === 'TOO_LONG' ? bytes : readOfx(bytes)
    return typeof statement === 'string'
      ? flawed(statement)
      : {
          ok: true,
          input: { digest: createHash('sha256').update(bytes).digest('base64url'), statement },
        }
  },
  command: (input, request) => ({
    type: 'GiveStatement',
    ...forExisting('reconciliationId', request),
    given: givenFor(input, request),
  }),
  view: ({ state }) => ({ body: reconciliationDetail.view(state) }),
})

type GivenFile = { readonly digest: string; readonly statement: OfxStatement }

const flawed = (flaw: OfxFlaw) =>
  refusedField('file', flaw === 'TOO_LONG' ? 'TOO_LONG' : 'INVALID_FORMAT', (say) =>
    say.fileNoStatement('file', say.fileNoStatementFor[flaw]),
  )

/** The bytes of a file; null where it is no base64. A compressed one is never made longer than a file may be. */
const bytesOf = (file: string): Buffer | 'TOO_LONG' | null => {
  const bytes = Buffer.from(file, 'base64')
  // The decoder skips characters outside base64.
  if (bytes.toString('base64') !== file) return null
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  try {
    return gunzipSync(bytes, { maxOutputLength: ofxBytesMax })
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE' ? 'TOO_LONG' : null
  }
}

const givenFor = ({ digest, statement }: GivenFile, request: RequestContext): GiveStatement['given'] => {
  const date = dateOf(request.id)
  const lines = statement.lines.filter((line) => line.date === date)
  const why = refusalOf(statement, lines.length, date, request)
  return { why, digest, movements: why === null ? lines.map(movementOf) : [] }
}

/** The day that the id of a reconciliation is of; null for what is none. */
const dateOf = (id: string): CalendarDate | null => {
  const digits = /^rcn_00(\d{4})(\d{2})(\d{2})/.exec(id)
  return digits && readDate(`${digits[1]}-${digits[2]}-${digits[3]}`)
}

const refusalOf = (
  statement: OfxStatement,
  lines: number,
  date: CalendarDate | null,
  { company, environment, directory, id }: RequestContext,
): StatementRefusal | null => {
  if (environment === 'PRODUCTION') {
    const connection = [...directory.connections.byId.values()].find(
      (one) => one.companyId === company.id && one.id.slice(-16) === id.slice(-16),
    )
    const isOf = connection === undefined ? null : isStatementOf(statement, connection)
    if (isOf !== true) return isOf === null ? 'ACCOUNT_UNKNOWN' : 'OTHER_ACCOUNT'
  }
  if (date === null || date < statement.from || date > statement.to) return 'OTHER_DAYS'
  return lines > movementsMax ? 'TOO_MANY' : null
}

const movementOf = ({ text, cents, atMs }: OfxStatement['lines'][number]): StatementMovement => ({
  kind: kindOfLine(text, cents),
  cents,
  endToEndId: endToEndIdIn(text),
  atMs,
})
