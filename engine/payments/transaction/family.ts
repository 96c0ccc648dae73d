import type { Method, Methods } from '../../shared/method.ts'

/** The route family that shows a transaction: an id of another family is not found there (decisions, section 1). */
export type Family = Methods[Method]['family']
