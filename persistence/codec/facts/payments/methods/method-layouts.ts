import type { Means } from '../../../../../engine/payments/transaction/transaction.ts'
import type { Method, Methods } from '../../../../../engine/shared/method.ts'
import type { Layout } from '../../../layout.ts'
import type { LayoutsOf } from '../../fact-layouts.ts'

/** How the charges of a method are stored. */
export type MethodLayouts<Name extends Method> = {
  /** How such a charge is paid. A method keeps its tag for ever. */
  readonly means: {
    readonly tag: number
    readonly isOf: (means: Means) => boolean
    readonly layout: Layout<Methods[Name]['means']>
  }
  /** The facts that only such charges have. */
  readonly facts: LayoutsOf<Methods[Name]['facts']>
}
