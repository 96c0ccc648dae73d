/** This node cannot be part of the cluster; the message is for the operator. Waiting would not help. */
export class ClusterRefusal extends Error {}
