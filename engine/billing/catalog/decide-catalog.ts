import type { Draft } from '../../kernel/draft.ts'
import type { Rejection } from '../../kernel/registry.ts'
import { unreachable } from '../../shared/assert.ts'
import type { CatalogCommand } from './catalog-commands.ts'
import { createCoupon, editCoupon, removeCoupon } from './decide-coupon.ts'
import { removeDunningPolicy, setDunningPolicy } from './decide-dunning.ts'
import { createPlan, editPlan, removePlan } from './decide-plan.ts'

/** Decides what a company sells by: plans, coupons, dunning policies. */
export const decideCatalog = (command: CatalogCommand, draft: Draft): Rejection | null => {
  switch (command.type) {
    case 'CreatePlan':
      return createPlan(command, draft)
    case 'EditPlan':
      return editPlan(command, draft)
    case 'RemovePlan':
      return removePlan(command, draft)
    case 'CreateCoupon':
      return createCoupon(command, draft)
    case 'EditCoupon':
      return editCoupon(command, draft)
    case 'RemoveCoupon':
      return removeCoupon(command, draft)
    case 'SetDunningPolicy':
      return setDunningPolicy(command, draft)
    case 'RemoveDunningPolicy':
      return removeDunningPolicy(command, draft)
    default:
      return unreachable(command)
  }
}
