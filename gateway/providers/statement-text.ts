import type { MovementKind } from '../../engine/reconciliation/statement.ts'

/**
 * What a line of a statement is, by its text. Banks have no common codes for PIX: each writes it in words of its own, which have these in common.
 * What is not clearly PIX is OTHER, since the account may be used for other things.
 */
export const kindOfLine = (text: string, cents: number): MovementKind => {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').toUpperCase()
  if (!/\bPIX\b|QR ?CODE/.test(plain)) return 'OTHER'
  if (/\bTAR(?:IFAS?)?\b/.test(plain)) return 'TARIFF'
  if (/DEVOL|ESTORN|REJEIT/.test(plain)) return 'RETURN'
  return cents > 0 ? 'PIX_IN' : 'PIX_OUT'
}

/** The id of a PIX, or of a return, within a text; null where there is none. */
export const endToEndIdIn = (text: string): string | null =>
  /\b[ED]\d{8}20\d{10}[A-Za-z0-9]{11}\b/.exec(text)?.[0] ?? null
