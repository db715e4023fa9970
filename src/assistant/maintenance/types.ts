/** Codes that maintenance fails with. */
export type MaintenanceErrorCode = 'maintenance.incomplete' | 'maintenance.link_refused';
