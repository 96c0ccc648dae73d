import Type from 'typebox'
import type { MandateAtBank, MandateChargeAtBank } from '../port.ts'
import { hasShape } from './shape.ts'

/** The states of a mandate (`rec`) in the words of the port. */
export const mandateStates: Readonly<Record<string, MandateAtBank['state']>> = {
  CRIADA: 'CREATED',
  APROVADA: 'ACTIVE',
  REJEITADA: 'REJECTED',
  EXPIRADA: 'EXPIRED',
  CANCELADA: 'CANCELLED',
}

/** The states of a charge by a mandate (`cobr`). */
export const chargeStates: Readonly<Record<string, MandateChargeAtBank['state']>> = {
  CRIADA: 'CREATED',
  ATIVA: 'ACTIVE',
  CONCLUIDA: 'PAID',
  EXPIRADA: 'EXPIRED',
  REJEITADA: 'REJECTED',
  CANCELADA: 'CANCELLED',
}

/** The states of its attempts (`tentativas`, R9). */
export const attemptStates: Readonly<Record<string, MandateChargeAtBank['attempts'][number]['state']>> = {
  SOLICITADA: 'REQUESTED',
  AGENDADA: 'SCHEDULED',
  PAGA: 'PAID',
  CANCELADA: 'CANCELLED',
  REJEITADA: 'REJECTED',
  EXPIRADA: 'EXPIRED',
}

const End = Type.Object({ codigo: Type.String() })

/** The code with which a mandate or its charge ended: rejected or cancelled. */
export const codeOfEnd = (end: unknown): string | null => {
  const { rejeicao, cancelamento } = (end ?? {}) as Readonly<Record<string, unknown>>
  const found = rejeicao ?? cancelamento
  return hasShape(End, found) ? found.codigo : null
}
