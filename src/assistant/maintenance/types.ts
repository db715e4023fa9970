export type MaintenanceErrorCode = 'maintenance.incomplete' | 'maintenance.link_refused';
