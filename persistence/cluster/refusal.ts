/** Why this node cannot be part of the cluster, in words for the operator: waiting would not change it. */
export class ClusterRefusal extends Error {}
