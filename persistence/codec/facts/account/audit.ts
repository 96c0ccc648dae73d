import type { AuditFact } from '../../../../engine/audit/audit-entry.ts'
import type { AuditChange } from '../../../../engine/shared/audit.ts'
import { enumeration, list, nullable, number, record, repeatedText, text } from '../../layout.ts'
import type { FactLayouts } from '../fact-layouts.ts'
import { accountId } from '../shared.ts'

const entry = record<AuditFact['entry']>({
  accountId,
  actor: record<AuditFact['entry']['actor']>({
    kind: enumeration({ PERSON: 1, KEY: 2, OPERATOR: 3, CLOCK: 4 }),
    id: nullable(repeatedText()),
    name: nullable(repeatedText()),
  }),
  sessionId: nullable(repeatedText()),
  keyId: nullable(repeatedText()),
  ip: nullable(repeatedText()),
  userAgent: nullable(repeatedText()),
  action: repeatedText(),
  requestId: nullable(text()),
  object: nullable(record<NonNullable<AuditFact['entry']['object']>>({ type: repeatedText(), id: text() })),
  changes: list(
    record<AuditChange>({ field: repeatedText(), before: nullable(text()), after: nullable(text()) }),
  ),
  result: enumeration({ DONE: 1, REFUSED: 2 }),
  code: nullable(repeatedText()),
  number: number(),
  previousHash: nullable(text()),
  hash: text(),
})

export const auditFacts = {
  AuditRecorded: [1, { id: text(), atMs: number(), entry }],
} satisfies FactLayouts<'auditEntry'>
