import type { BeneficiaryId } from '../../../../engine/shared/ids.ts'
import { json, nullable, number, text } from '../../layout.ts'
import type { FactLayouts } from '../fact-layouts.ts'

const head = { id: text<BeneficiaryId>(), atMs: number() }

export const beneficiaryFacts = {
  BeneficiaryRegistered: [1, { ...head, beneficiary: json(), nickname: nullable(text()) }],
  BeneficiaryChanged: [2, { ...head, changes: json() }],
  BeneficiaryUsed: [3, head],
  BeneficiaryRemoved: [4, head],
} satisfies FactLayouts<'beneficiary'>
