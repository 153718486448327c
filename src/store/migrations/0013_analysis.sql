-- What calls of an agent are classified as; empty: the labels of the service.
alter table agents add column classification_labels text[] not null default '{}';
